package io.distlock.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/compatibility.md} names the versions that the poms name, which are those
 * that ran. What passed on them is from a full proof: after {@code .ci/run},
 * {@code -Dcompatibility.write=true} writes the table, and {@code .ci/run} fails where
 * the table says something else.
 */
class CompatibilityPageTests {

	private static final Path PAGE = MarkdownPage.ROOT.resolve("docs/compatibility.md");

	private static final Pattern TABLE = Pattern.compile("(<!-- consumers -->\n\n)(.*)(\n\n<!-- end of consumers -->)",
			Pattern.DOTALL);

	private static final Pattern ROW = Pattern.compile("^\\| ([\\d.]+) \\| (yes)? ?\\| (\\d+ of \\d+) \\|$",
			Pattern.MULTILINE);

	private static final Pattern VERSION = Pattern.compile("\\b\\d+\\.\\d+\\.\\d+\\b");

	/** An example of a version that the check refuses. */
	private static final String REFUSED = "found 2.7.18";

	private final String pom = MarkdownPage.content(MarkdownPage.ROOT.resolve("pom.xml"));

	@Test
	void tableIsOfTheVersionsThatRun() throws IOException {
		String page = Files.readString(PAGE);
		if (Boolean.getBoolean("compatibility.write")) {
			Files.writeString(PAGE, written(page));
		}
		Matcher table = TABLE.matcher(Files.readString(PAGE));
		assertThat(table.find()).isTrue();
		assertThat(
				ROW.matcher(table.group(2)).results().map((row) -> row.group(1) + ((row.group(2) != null) ? " *" : "")))
			.as("write the table with -Dcompatibility.write=true after .ci/run")
			.containsExactlyElementsOf(versions().map((version) -> version + (isTested(version) ? " *" : "")).toList());
		assertThat(table.group(2).lines()).hasSize((int) versions().count() + 2);
	}

	/** No sentence names a version of its own beside those of the poms. */
	@Test
	void pageNamesTheOldestAndTheNewest() throws IOException {
		String page = Files.readString(PAGE);
		List<String> versions = versions().toList();
		assertThat(page).contains("| Spring Boot | %s | %s |".formatted(versions.get(0), version("line")))
			.contains("| Java | %s | %s |".formatted(property("maven.compiler.release"), newestJava(page)));
		String ofBoot = page.substring(0, page.indexOf("\n## Servers")).replace(REFUSED, "");
		assertThat(VERSION.matcher(ofBoot.replaceAll("\\d[\\d.]*-SNAPSHOT", ""))
			.results()
			.map((match) -> match.group())
			.distinct()).isSubsetOf(versions);
	}

	/** The check of the version agrees with the page and the pom. */
	@Test
	void olderVersionsThanTheOldestAreRefused() {
		String[] oldest = version("oldest").split("\\.");
		assertThat(MarkdownPage.content(MarkdownPage.ROOT.resolve("lock-autoconfigure/src/main/java/io/distlock/"
				+ "autoconfigure/diagnostics/SpringBootVersionCheck.java")))
			.contains("OLDEST_MAJOR = " + oldest[0] + ";", "OLDEST_MINOR = " + oldest[1] + ";");
		assertThat(MarkdownPage.content(PAGE)).contains(
				"Older versions than %s.%s are refused".formatted(oldest[0], oldest[1]),
				"need Spring Boot %s.%s or later, found".formatted(oldest[0], oldest[1]));
	}

	/** Those of the table of servers. */
	private static int newestJava(String page) {
		return Pattern.compile("\\| (\\d+) \\| `lock-")
			.matcher(page)
			.results()
			.mapToInt((row) -> Integer.parseInt(row.group(1)))
			.max()
			.orElseThrow();
	}

	private String written(String page) throws IOException {
		Properties proof = new Properties();
		try (InputStream in = Files.newInputStream(MarkdownPage.ROOT.resolve("target/proof.properties"))) {
			proof.load(in);
		}
		String rows = versions()
			.map((version) -> "| %s |%s| %s |".formatted(version, isTested(version) ? " yes " : " ",
					Objects.requireNonNull(proof.getProperty("consumers.on.spring-boot." + version), version)))
			.collect(Collectors.joining("\n"));
		return TABLE.matcher(page)
			.replaceAll("$1"
					+ Matcher.quoteReplacement(
							"| Spring Boot | All tests | Tests of applications passed |\n|---|---|---|\n" + rows)
					+ "$3");
	}

	/** The versions that {@code .ci/consumers} builds on, the oldest first. */
	private Stream<String> versions() {
		return Stream
			.of(Stream.of(version("oldest")), Stream.of(property("spring-boot.other.versions").split(" ")),
					Stream.of(version("floor"), version("line")))
			.flatMap((each) -> each)
			.sorted(Comparator.comparing(Version::parse));
	}

	private boolean isTested(String version) {
		return version.equals(version("floor")) || version.equals(version("line"));
	}

	private String version(String name) {
		return property("spring-boot." + name + ".version");
	}

	private String property(String name) {
		Matcher matcher = Pattern.compile("<" + Pattern.quote(name) + ">([^<]*)</").matcher(this.pom);
		assertThat(matcher.find()).as(name).isTrue();
		return matcher.group(1);
	}

}
