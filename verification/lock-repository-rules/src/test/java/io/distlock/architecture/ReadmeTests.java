package io.distlock.architecture;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The READMEs say the same in two languages, and a reader is through with them in some
 * minutes.
 */
class ReadmeTests {

	private static final MarkdownPage ENGLISH = MarkdownPage.of("README.md");

	private static final MarkdownPage CHINESE = MarkdownPage.of("README.zh-CN.md");

	private static final Pattern HEADING = Pattern.compile("^(#+) ", Pattern.MULTILINE);

	private static final Pattern FIGURE = Pattern.compile("\\d+(?:[./]\\d+)*");

	private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

	private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+)\\)");

	private static List<String> all(Pattern pattern, MarkdownPage page, int group) {
		return pattern.matcher(page.prose()).results().map((result) -> result.group(group)).sorted().toList();
	}

	private static List<String> levels(MarkdownPage page) {
		return HEADING.matcher(page.prose()).results().map((heading) -> heading.group(1)).toList();
	}

	/** Columns of each row of a table. */
	private static List<Long> rows(MarkdownPage page) {
		return page.prose()
			.lines()
			.filter((line) -> line.startsWith("|"))
			.map((line) -> line.chars().filter((character) -> character == '|').count())
			.toList();
	}

	@Test
	void bothHaveTheSameHeadings() {
		assertThat(levels(ENGLISH)).hasSizeGreaterThan(6);
		assertThat(levels(CHINESE)).isEqualTo(levels(ENGLISH));
	}

	/** Readers of both languages see the same code, settings and commands. */
	@Test
	void bothHaveTheSameBlocksOfCode() {
		assertThat(ENGLISH.blocks()).hasSizeGreaterThan(3);
		assertThat(CHINESE.blocks()).isEqualTo(ENGLISH.blocks());
	}

	@Test
	void bothNameTheSameClassesAndSettings() {
		assertThat(all(CODE, ENGLISH, 1)).hasSizeGreaterThan(10);
		assertThat(all(CODE, CHINESE, 1)).isEqualTo(all(CODE, ENGLISH, 1));
	}

	@Test
	void bothHaveTheSameFigures() {
		assertThat(all(FIGURE, ENGLISH, 0)).contains("4.1").anyMatch((figure) -> figure.startsWith("1/"));
		assertThat(all(FIGURE, CHINESE, 0)).isEqualTo(all(FIGURE, ENGLISH, 0));
	}

	@Test
	void bothHaveTheSameTables() {
		assertThat(rows(ENGLISH)).hasSizeGreaterThan(12);
		assertThat(rows(CHINESE)).isEqualTo(rows(ENGLISH));
	}

	@Test
	void bothHaveTheSameLinks() {
		assertThat(all(LINK, CHINESE, 1)).filteredOn((link) -> !link.startsWith("README"))
			.isEqualTo(all(LINK, ENGLISH, 1).stream().filter((link) -> !link.startsWith("README")).toList());
	}

	@Test
	void englishTakesAFewMinutes() {
		long words = Stream.of(ENGLISH.prose().split("\\s+")).filter((word) -> word.matches(".*\\w.*")).count();
		assertThat(words).isLessThanOrEqualTo(700);
	}

	/** The ratios of the table are rounded figures of the benchmarks. */
	@ParameterizedTest
	@ValueSource(strings = { "README.md", "README.zh-CN.md" })
	void speedIsThatOfTheBenchmarks(String readme) {
		MatchResult measured = Pattern.compile("\\| `B64` \\|[^|]*\\|[^|]*\\| (\\d+) \\| (\\d+) \\|")
			.matcher(MarkdownPage.of("docs/performance.md").text())
			.results()
			.findFirst()
			.orElseThrow();
		assertThat(MarkdownPage.of(readme).text())
			.contains("| 1 | 1/" + measured.group(2) + " | | | 1/" + measured.group(1) + " | |");
	}

}
