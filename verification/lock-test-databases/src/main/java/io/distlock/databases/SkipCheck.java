package io.distlock.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The last step of the build. A skipped test proves nothing, and nobody looks at it
 * again, so it fails the build unless {@link ServerCondition} left it out.
 */
public final class SkipCheck {

	private static final int DEPTH = 6;

	private static final PathMatcher REPORT = FileSystems.getDefault()
		.getPathMatcher("glob:**/target/surefire-reports/TEST-*.xml");

	private SkipCheck() {
	}

	/**
	 * Reads the reports of all modules.
	 * @param arguments the root of the project
	 */
	public static void main(String[] arguments) {
		System.out.println(check(Path.of(arguments[0])));
	}

	/**
	 * Returns how many tests ran, and which were left out.
	 * @throws IllegalStateException if one was skipped for another reason
	 */
	static String check(Path root) {
		int tests = 0;
		int didNotRun = 0;
		Set<String> leftOut = new TreeSet<>();
		List<String> skipped = new ArrayList<>();
		for (Path report : reports(root)) {
			try (InputStream in = Files.newInputStream(report)) {
				XMLStreamReader reader = XMLInputFactory.newFactory().createXMLStreamReader(in);
				String test = "";
				while (reader.hasNext()) {
					if (reader.next() != XMLStreamConstants.START_ELEMENT) {
						continue;
					}
					if (reader.getLocalName().equals("testcase")) {
						tests++;
						test = attribute(reader, "classname");
					}
					else if (reader.getLocalName().equals("skipped")) {
						String reason = attribute(reader, "message");
						if (reason.startsWith(ServerCondition.LEFT_OUT)) {
							didNotRun++;
							leftOut.add(test.replaceFirst("\\$.*", ""));
						}
						else {
							skipped.add(test + ": " + reason);
						}
					}
				}
			}
			catch (IOException | XMLStreamException ex) {
				throw new IllegalStateException("The report " + report + " cannot be read", ex);
			}
		}
		if (!skipped.isEmpty()) {
			throw new IllegalStateException("Tests were skipped:\n" + String.join("\n", skipped));
		}
		return (tests - didNotRun) + " tests in all modules" + (leftOut.isEmpty() ? ""
				: "; " + didNotRun + " did not run because a server is missing, of " + String.join(", ", leftOut));
	}

	private static List<Path> reports(Path root) {
		try (Stream<Path> files = Files.find(root, DEPTH, (file, attributes) -> REPORT.matches(file))) {
			return files.sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String attribute(XMLStreamReader reader, String name) {
		String value = reader.getAttributeValue(null, name);
		return (value != null) ? value : "";
	}

}
