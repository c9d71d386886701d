package io.distlock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** What the tests of all modules, read from where Maven compiled them, must not do. */
class TestRulesTests {

	private static final Pattern PROFILE = Pattern.compile("(?s)<profile>.*?<id>([\\w-]+)</id>.*?</profile>");

	private static final Pattern MODULE = Pattern.compile("<module>([\\w-]+)</module>");

	/** Not compiled by this build. */
	private static final Set<String> OF_OTHER_BUILDS = ofOtherBuilds();

	private static JavaClasses tests;

	@BeforeAll
	static void read() throws IOException {
		List<Path> compiled = Stream.of(modules("target/test-classes"), modules("line/target/test-classes"))
			.flatMap(List::stream)
			.filter(TestRulesTests::isOfJava)
			.toList();
		List<Path> ofThisBuild = Stream.of(modules("src/test/java"), modules("line/src/test/java"))
			.flatMap(List::stream)
			.filter(TestRulesTests::isOfThisBuild)
			.toList();
		assertThat(compiled.stream().filter(TestRulesTests::isOfThisBuild)).isNotEmpty().hasSameSizeAs(ofThisBuild);
		tests = new ClassFileImporter().importPaths(compiled);
	}

	/**
	 * Tests that run on both lines of Spring Boot are compiled in a folder for each, but
	 * their sources may be above it.
	 */
	private static boolean isOfJava(Path directory) {
		Path module = directory.getParent().getParent();
		return Files.isDirectory(module.resolve("src/test/java"))
				|| (module.endsWith("line") && Files.isDirectory(module.resolveSibling("src/test/java")));
	}

	private static boolean isOfThisBuild(Path directory) {
		return OF_OTHER_BUILDS.stream().noneMatch((module) -> directory.toString().contains("/" + module + "/"));
	}

	private static Set<String> ofOtherBuilds() {
		boolean full = "all".equals(System.getProperty("test.scope"));
		return PROFILE.matcher(MarkdownPage.content(MarkdownPage.ROOT.resolve("verification/pom.xml")))
			.results()
			.filter((profile) -> !full || !profile.group(1).equals("full-proof"))
			.flatMap((profile) -> MODULE.matcher(profile.group()).results())
			.map((module) -> module.group(1))
			.collect(Collectors.toSet());
	}

	@Test
	void testsWhenTheyCannotRunThenFailInsteadOfBeingSkipped() {
		noClasses().should().beAnnotatedWith(Disabled.class).check(tests);
		methods().should().notBeAnnotatedWith(Disabled.class).check(tests);
		for (String assumptions : List.of("org.junit.jupiter.api.Assumptions", "org.assertj.core.api.Assumptions")) {
			noClasses().should().dependOnClassesThat().haveFullyQualifiedName(assumptions).check(tests);
		}
	}

	/**
	 * JUnit takes such a row for a comment, so a key like {@code #order.id} needs quotes.
	 */
	@Test
	void rowsOfATableAreAllRun() {
		List<String> left = tests.stream()
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> method.isAnnotatedWith(CsvSource.class))
			.flatMap((method) -> method.getAnnotationOfType(CsvSource.class)
				.textBlock()
				.lines()
				.filter((row) -> row.strip().startsWith("#"))
				.map((row) -> method.getFullName() + ": " + row))
			.toList();
		assertThat(left).isEmpty();
	}

	@Test
	void testsWhenTheyWaitThenWaitForACondition() {
		noClasses().should().callMethod(Thread.class, "sleep", long.class).check(tests);
		// A delay before the first look is a sleep by another name; Pause says what it
		// is.
		noClasses().should()
			.callMethodWhere(target(name("pollDelay")).and(target(owner(nameMatching("org\\.awaitility\\..*")))))
			.check(tests);
	}

	/** The modules that have such a directory, this one included. */
	private static List<Path> modules(String directory) throws IOException {
		try (Stream<Path> modules = Files.walk(MarkdownPage.ROOT, 2)) {
			return modules.filter((module) -> Files.exists(module.resolve("pom.xml")))
				.map((module) -> module.resolve(directory))
				.filter(Files::isDirectory)
				.toList();
		}
	}

}
