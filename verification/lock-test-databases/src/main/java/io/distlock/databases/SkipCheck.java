package io.distlock.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The last step of the build: says what ran, what is left to the full proof, and what is
 * missing. A skipped test proves nothing, and nobody looks at it again, so it fails the
 * build unless {@link ServerCondition} left it out. A test class that ran nowhere fails
 * it too, unless it says why: so what the usual build runs and what it leaves out are
 * together all that the full proof runs.
 */
public final class SkipCheck {

	private static final int DEPTH = 6;

	private static final PathMatcher REPORT = FileSystems.getDefault()
		.getPathMatcher("glob:**/target/{surefire-reports,other-servers}/TEST-*.xml");

	/** By lock-test-output: lines of a tag and a number. */
	private static final PathMatcher COUNTS = FileSystems.getDefault().getPathMatcher("glob:**/target/test-counts/*");

	private static final Pattern OF_THE_PROOF = Pattern.compile("(?s)<id>full-proof</id>.*?</profile>");

	private static final Pattern MODULE = Pattern.compile("<module>([\\w-]+)</module>");

	/** Left out by the full proof: long forms, and what .ci/release runs. */
	private static final Set<String> LONG_FORMS = Set.of("full", "lab", "reliability", "previous-release");

	private static final Set<String> LEFT_TO_THE_PROOF = Set.of("ci", "mutants", "newest-line");

	private final Path root;

	private final Instant begin;

	private final boolean full;

	/** By module. */
	private final Map<String, Integer> tests = new TreeMap<>();

	private final Set<String> ran = new HashSet<>();

	/** Now, or in a build before that went on from here. */
	private final Set<String> reported = new HashSet<>();

	private final Set<String> reportedModules = new HashSet<>();

	private final List<String> skipped = new ArrayList<>();

	private final Set<String> withoutServer = new TreeSet<>();

	private int didNotRun;

	private SkipCheck(Path root, Instant begin, boolean full) {
		this.root = root;
		this.begin = begin;
		this.full = full;
	}

	/**
	 * Reads the reports of all modules.
	 * @param arguments the root of the project, when the build began, which tests it
	 * runs, and what the command line says of tests
	 */
	public static void main(String[] arguments) {
		Path root = Path.of(arguments[0]);
		// A property that the command line does not have stays a placeholder.
		boolean named = Stream.of(arguments).skip(3).anyMatch((argument) -> !argument.startsWith("${"));
		SkipCheck check = check(root, Instant.parse(arguments[1]), arguments[2].equals("all"), !named);
		System.out.println(check.counts());
		if (!named) {
			String last = check.lastLines(Instant.now());
			// After all that Maven has to say.
			Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(last)));
		}
	}

	/**
	 * Reads the reports.
	 * @param begin of the build; what ended before is not counted
	 * @param full whether this is the full proof
	 * @param complete whether each class must have run, or be left out
	 * @throws IllegalStateException if a test was skipped, or a class is missing
	 */
	static SkipCheck check(Path root, Instant begin, boolean full, boolean complete) {
		SkipCheck check = new SkipCheck(root, begin, full);
		find(root, REPORT).forEach(check::read);
		if (!check.skipped.isEmpty()) {
			throw new IllegalStateException("Tests were skipped:\n" + String.join("\n", check.skipped));
		}
		List<String> missing = complete ? check.missing() : List.of();
		if (!missing.isEmpty()) {
			throw new IllegalStateException("These classes neither ran nor say with a tag that they are left out:\n"
					+ String.join("\n", missing));
		}
		return check;
	}

	private void read(Path report) {
		String group = group(this.root, report);
		this.reported.add(report.getFileName().toString().replaceAll("^TEST-|(\\$.*)?\\.xml$", ""));
		this.reportedModules.add(group.replaceFirst("^verification/", "").replaceFirst("[/ ].*", ""));
		try (InputStream in = Files.newInputStream(report)) {
			if (Files.getLastModifiedTime(report).toInstant().isBefore(this.begin)) {
				return;
			}
			XMLStreamReader reader = XMLInputFactory.newFactory().createXMLStreamReader(in);
			String test = "";
			while (reader.hasNext()) {
				if (reader.next() != XMLStreamConstants.START_ELEMENT) {
					continue;
				}
				if (reader.getLocalName().equals("testcase")) {
					this.tests.merge(group, 1, Integer::sum);
					test = attribute(reader, "classname").replaceFirst("\\$.*", "");
					this.ran.add(test);
				}
				else if (reader.getLocalName().equals("skipped")) {
					String reason = attribute(reader, "message");
					if (reason.startsWith(ServerCondition.LEFT_OUT)) {
						this.didNotRun++;
						this.tests.merge(group, -1, Integer::sum);
						this.withoutServer.add(test);
					}
					else {
						this.skipped.add(test + ": " + reason);
					}
				}
			}
		}
		catch (IOException | XMLStreamException ex) {
			throw new IllegalStateException("The report " + report + " cannot be read", ex);
		}
	}

	private List<String> missing() {
		Set<String> modules = modulesOfTheProof();
		return TestClass.all(this.root)
			.stream()
			.filter((test) -> !this.reported.contains(test.name()))
			.filter((test) -> this.full || isReported(test.module()) && !modules.contains(test.module()))
			.filter((test) -> test.tags().stream().noneMatch(LONG_FORMS::contains))
			.filter((test) -> this.full || test.tags().stream().noneMatch(LEFT_TO_THE_PROOF::contains))
			.map((test) -> test.module() + ": " + test.name())
			.sorted()
			.toList();
	}

	/** A build of some modules says nothing about the others. */
	private boolean isReported(String module) {
		return this.reportedModules.contains(module);
	}

	private Set<String> modulesOfTheProof() {
		Path pom = this.root.resolve("verification/pom.xml");
		try {
			return Files.exists(pom) ? OF_THE_PROOF.matcher(Files.readString(pom))
				.results()
				.flatMap((profile) -> MODULE.matcher(profile.group()).results())
				.map((module) -> module.group(1))
				.collect(Collectors.toCollection(TreeSet::new)) : Set.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns how many tests ran, by module and by tag. */
	String counts() {
		List<String> lines = new ArrayList<>();
		lines.add(sum() + " tests in all modules");
		this.tests.forEach((group, count) -> lines.add("  " + group + ": " + count));
		tags().forEach((tag, count) -> lines.add("  of these with the tag " + tag + ": " + count));
		return String.join("\n", lines);
	}

	/** Returns at most five lines: what ran, what did not, and why. */
	String lastLines(Instant end) {
		List<String> lines = new ArrayList<>();
		lines.add("Ran %d tests of %d classes in %d s".formatted(sum(), this.ran.size(),
				Duration.between(this.begin, end).toSeconds()));
		List<TestClass> left = TestClass.all(this.root)
			.stream()
			.filter((test) -> !this.ran.contains(test.name()) && !this.withoutServer.contains(test.name()))
			.toList();
		if (this.full) {
			lines.add("Left out as long forms, for which CONTRIBUTING.md has the commands: "
					+ names(left, (test) -> true));
		}
		else {
			Set<String> modules = modulesOfTheProof();
			Predicate<TestClass> ofModules = (test) -> modules.contains(test.module());
			Predicate<TestClass> mutants = (test) -> test.tags().contains("mutants");
			lines.add("Left to .ci/run, as they need minutes, or libraries that nothing else needs: "
					+ count(left, ofModules) + " classes of " + String.join(", ", modules));
			lines.add("Left to .ci/run, as they repeat a contract, make faults on real servers or take long: "
					+ count(left, ofModules.or(mutants).or((test) -> test.tags().isEmpty()).negate())
					+ " classes with a tag, tests of "
					+ TestClass.all(this.root).stream().filter((test) -> isPartlyLeftOut(test)).count()
					+ " others, and most tests of the Spring modules on the newest Spring Boot");
			lines.add("Left to .ci/run, as they test the tests: all mutants, of " + count(left, mutants)
					+ " classes and of others");
		}
		lines.add(this.withoutServer.isEmpty() ? "Nothing was missing on this machine"
				: "Did not run, as a server is missing: %d tests of %s".formatted(this.didNotRun,
						this.withoutServer.stream().map(SkipCheck::simple).collect(Collectors.joining(", "))));
		return String.join("\n", lines);
	}

	private boolean isPartlyLeftOut(TestClass test) {
		return test.isPartlyLeftOut() && this.ran.contains(test.name());
	}

	private static long count(List<TestClass> classes, Predicate<TestClass> which) {
		return classes.stream().filter(which).count();
	}

	private static String names(List<TestClass> classes, Predicate<TestClass> which) {
		return classes.stream().filter(which).map((test) -> simple(test.name())).collect(Collectors.joining(", "));
	}

	private static String simple(String name) {
		return name.substring(name.lastIndexOf('.') + 1);
	}

	private int sum() {
		return this.tests.values().stream().mapToInt(Integer::intValue).sum();
	}

	/** The module, and whether its tests ran once more with other servers. */
	private static String group(Path root, Path report) {
		return root.relativize(report)
			.toString()
			.replaceFirst("/target/surefire-reports/.*", "")
			.replaceFirst("/target/other-servers/.*", " with other servers");
	}

	private Map<String, Integer> tags() {
		Map<String, Integer> tags = new TreeMap<>();
		for (Path counts : find(this.root, COUNTS)) {
			try {
				if (Files.getLastModifiedTime(counts).toInstant().isBefore(this.begin)) {
					continue;
				}
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
