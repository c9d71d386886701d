package io.distlock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages for newcomers name classes, scripts and packages as they are called today.
 */
class ArchitecturePageTests {

	private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

	private static final Pattern FILE = Pattern.compile("[A-Z]\\w*[a-z]\\w*|\\w+\\.(?:lua|json|java|sql)");

	private static final Pattern PACKAGE = Pattern.compile("io\\.distlock(?:\\.[a-z]\\w*)*");

	private static final Pattern TEST = Pattern.compile("`(\\w+(?:Tests|Contract))(?:\\.(\\w+))?`");

	/** Of the JDK, of Spring and of JUnit. */
	private static final Set<String> OTHERS = Set.of("Lock", "ReadWriteLock", "CompletableFuture", "Mono", "Flux",
			"Optional", "Duration", "RedisConnectionFactory", "Thread", "Test", "Nested", "Execution", "Async",
			"NullMarked");

	private static Set<String> files;

	private static Set<String> packages;

	private static Map<String, Path> tests;

	@BeforeAll
	static void read() throws IOException {
		try (Stream<Path> all = Files.walk(MarkdownPage.ROOT)) {
			Set<Path> sources = all.map(MarkdownPage.ROOT::relativize)
				.filter((file) -> file.toString().contains("src/"))
				.filter((file) -> file.getFileName().toString().matches(".*\\.(java|lua|json|sql)"))
				.filter((file) -> !file.toString().contains("target/"))
				.collect(Collectors.toSet());
			files = sources.stream()
				.map((file) -> file.getFileName().toString())
				.flatMap((name) -> Stream.of(name, name.replace(".java", "")))
				.collect(Collectors.toSet());
			tests = sources.stream()
				.filter((file) -> file.toString().matches(".*(Tests|Contract)\\.java"))
				.collect(Collectors.toMap((file) -> file.getFileName().toString().replace(".java", ""),
						MarkdownPage.ROOT::resolve, (first, second) -> first));
			packages = sources.stream()
				.map((file) -> file.getParent().toString())
				.filter((directory) -> directory.contains("/java/"))
				.map((directory) -> directory.replaceFirst(".*/java/", "").replace('/', '.'))
				.collect(Collectors.toSet());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "docs/architecture.md", "CONTRIBUTING.md" })
	void namesExist(String page) {
		String text = MarkdownPage.of(page).text();
		assertThat(CODE.matcher(text)
			.results()
			.map((code) -> name(code.group(1)))
			.filter((name) -> FILE.matcher(name).matches() && !OTHERS.contains(name) && !files.contains(name)))
			.as("classes and files that only %s has", page)
			.isEmpty();
		assertThat(PACKAGE.matcher(text).results().map(MatchResult::group).filter((name) -> !isPackage(name)))
			.as("packages that only %s has", page)
			.isEmpty();
	}

	private static String name(String code) {
		String name = code.replaceFirst("^@", "");
		return name.matches(".*\\.(lua|json|java|sql)") ? name : name.replaceFirst("[.#(<].*$", "");
	}

	static Stream<MarkdownPage> pages() {
		return MarkdownPage.all().filter((page) -> !page.toString().contains("/adr/"));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void namedTestsExist(MarkdownPage page) {
		for (Matcher matcher = TEST.matcher(page.text()); matcher.find();) {
			Path source = tests.get(matcher.group(1));
			assertThat(source).as("%s on %s", matcher.group(), page).isNotNull();
			if (matcher.group(2) != null) {
				assertThat(MarkdownPage.content(source)).as("%s on %s", matcher.group(), page)
					.contains(" " + matcher.group(2) + "(");
			}
		}
	}

	/**
	 * Somebody who has read these tables has met every class that works on a key, and its
	 * room. Time and observing are features on their own.
	 */
	@Test
	void wordsNameEachClassOfTheEngineInItsRoom() throws IOException {
		String page = MarkdownPage.of("docs/architecture.md").text();
		String words = page.substring(page.indexOf("## Twelve concepts"), page.indexOf("## Where do I find"));
		Path engine = MarkdownPage.ROOT.resolve("lock-core/src/main/java/io/distlock/internal");
		try (Stream<Path> classes = Files.walk(engine)) {
			assertThat(classes.filter((file) -> engine.relativize(file).getNameCount() == 2)
				.filter((file) -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
				.filter((file) -> !Set.of("observe", "time").contains(room(file)))).hasSizeGreaterThan(30)
				.allSatisfy((file) -> assertThat(words).containsPattern(
						"`" + room(file) + "`: [^;|\n]*`" + file.getFileName().toString().replace(".java", "[`.]")));
		}
	}

	private static String room(Path file) {
		return file.getParent().getFileName().toString();
	}

	private static boolean isPackage(String name) {
		return packages.contains(name) || packages.stream().anyMatch((known) -> known.startsWith(name + "."));
	}

}
