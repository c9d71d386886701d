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
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The last step of the build: says what ran. A skipped test proves nothing, and nobody
 * looks at it again, so it fails the build unless {@link ServerCondition} left it out.
 */
public final class SkipCheck {

	private static final int DEPTH = 6;

	private static final PathMatcher REPORT = FileSystems.getDefault()
		.getPathMatcher("glob:**/target/{surefire-reports,other-servers}/TEST-*.xml");

	/** By lock-test-output: lines of a tag and a number. */
	private static final PathMatcher COUNTS = FileSystems.getDefault().getPathMatcher("glob:**/target/test-counts/*");

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
		Map<String, Integer> tests = new TreeMap<>();
		int didNotRun = 0;
		Set<String> leftOut = new TreeSet<>();
		List<String> skipped = new ArrayList<>();
		for (Path report : find(root, REPORT)) {
			String group = group(root, report);
			try (InputStream in = Files.newInputStream(report)) {
				XMLStreamReader reader = XMLInputFactory.newFactory().createXMLStreamReader(in);
				String test = "";
				while (reader.hasNext()) {
					if (reader.next() != XMLStreamConstants.START_ELEMENT) {
						continue;
					}
					if (reader.getLocalName().equals("testcase")) {
						tests.merge(group, 1, Integer::sum);
						test = attribute(reader, "classname");
					}
					else if (reader.getLocalName().equals("skipped")) {
						String reason = attribute(reader, "message");
						if (reason.startsWith(ServerCondition.LEFT_OUT)) {
							didNotRun++;
							tests.merge(group, -1, Integer::sum);
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
		StringJoiner lines = new StringJoiner("\n");
		lines.add(sum(tests) + " tests in all modules");
		tests.forEach((group, count) -> lines.add("  " + group + ": " + count));
		tags(root).forEach((tag, count) -> lines.add("  of these with the tag " + tag + ": " + count));
		if (!leftOut.isEmpty()) {
			lines.add(didNotRun + " did not run because a server is missing, of " + String.join(", ", leftOut));
		}
		return lines.toString();
	}

	private static int sum(Map<String, Integer> tests) {
		return tests.values().stream().mapToInt(Integer::intValue).sum();
	}

	/** The module, and whether its tests ran once more with other servers. */
	private static String group(Path root, Path report) {
		return root.relativize(report)
			.toString()
			.replaceFirst("/target/surefire-reports/.*", "")
			.replaceFirst("/target/other-servers/.*", " with other servers");
	}

	private static Map<String, Integer> tags(Path root) {
		Map<String, Integer> tags = new TreeMap<>();
		for (Path counts : find(root, COUNTS)) {
			try {
				for (String line : Files.readAllLines(counts)) {
					String[] parts = line.split(" ");
					tags.merge(parts[0], Integer.valueOf(parts[1]), Integer::sum);
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return tags;
	}

	private static List<Path> find(Path root, PathMatcher matcher) {
		try (Stream<Path> files = Files.find(root, DEPTH, (file, attributes) -> matcher.matches(file))) {
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
