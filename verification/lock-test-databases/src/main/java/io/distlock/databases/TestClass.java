package io.distlock.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A class with tests, as its source says.
 *
 * @param module the name of its module
 * @param name of the class, with its package
 * @param tags of the class
 * @param isPartlyLeftOut whether some of its tests have tags of their own
 */
record TestClass(String module, String name, Set<String> tags, boolean isPartlyLeftOut) {

	private static final int DEPTH = 5;

	private static final Pattern SOURCE = Pattern
		.compile("(?:verification/)?([^/]+)/(?:[^/]+/)?src/test/(?:java|kotlin)/(.*Tests)\\.(?:java|kt)");

	/** Built by other means; see docs/tutorial.md and .ci/consumers. */
	private static final Pattern ELSEWHERE = Pattern.compile("verification/(?:consumers|lock-tutorial)/.*");

	private static final Pattern OF_THE_CLASS = Pattern
		.compile("(?m)^@(?:Tag\\(\"([\\w-]+)\"\\)|(Mutants|Needs(?:Server|MariaDb|MySql))\\b)");

	private static final Pattern OF_A_TEST = Pattern
		.compile("(?m)^\\s+@(?:Tag\\(\"|Mutants\\b|Needs(?:Server|MariaDb|MySql)\\b)");

	/** Returns those of all modules. */
	static List<TestClass> all(Path root) {
		List<TestClass> all = new ArrayList<>();
		try (Stream<Path> tests = Files.find(root, DEPTH, (file, attributes) -> file.endsWith("src/test"))) {
			for (Path directory : tests.toList()) {
				try (Stream<Path> files = Files.walk(directory)) {
					files.map(root::relativize)
						.map((file) -> file.toString().replace('\\', '/'))
						.filter((file) -> SOURCE.matcher(file).matches() && !ELSEWHERE.matcher(file).matches())
						.sorted()
						.forEach((file) -> add(all, file, text(root.resolve(file))));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return all;
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void add(List<TestClass> all, String file, String text) {
		MatchResult source = SOURCE.matcher(file).results().findFirst().orElseThrow();
		String name = source.group(2).replace('/', '.');
		if (text.contains("abstract class " + name.substring(name.lastIndexOf('.') + 1) + " ")) {
			return;
		}
		Set<String> tags = OF_THE_CLASS.matcher(text)
			.results()
			.map((tag) -> (tag.group(1) != null) ? tag.group(1) : tag.group(2).equals("Mutants") ? "mutants" : "ci")
			.collect(Collectors.toUnmodifiableSet());
		all.add(new TestClass(source.group(1), name, tags, OF_A_TEST.matcher(text).find()));
	}

}
