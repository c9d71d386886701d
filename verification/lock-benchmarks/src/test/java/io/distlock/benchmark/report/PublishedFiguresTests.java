package io.distlock.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** That the pages and the chart say what was measured. */
class PublishedFiguresTests {

	private static final Path DOCS = Path.of("..", "..", "docs");

	private static final Path SAMPLES = Path.of("results");

	private static final Path DETAILS = Path.of("");

	private static final String PAGE = "performance.md";

	private static final String DETAILED = "README.md";

	@TempDir
	private Path docs;

	@TempDir
	private Path details;

	@BeforeEach
	void copyThePagesThatAreWrittenByHand() throws IOException {
		Files.copy(DOCS.resolve(PAGE), this.docs.resolve(PAGE));
		Files.copy(DETAILS.resolve(DETAILED), this.details.resolve(DETAILED));
	}

	@Test
	void pagesAndChartAreThoseOfTheSamples() throws IOException {
		new Report(SAMPLES, this.docs, this.details).write();
		for (String name : List.of(PAGE, "images/performance.svg")) {
			assertThatIsCurrent(DOCS.resolve(name), this.docs.resolve(name));
		}
		for (String name : List.of(DETAILED, "RESULTS.md")) {
			assertThatIsCurrent(DETAILS.resolve(name), this.details.resolve(name));
		}
	}

	private static void assertThatIsCurrent(Path published, Path written) {
		assertThat(published).as("%s differs from the samples; run `benchmarks.jar report`", published)
			.hasSameTextualContentAs(written);
	}

	@Test
	void writeReplacesOnlyWhatItGenerated() throws IOException {
		Path page = this.details.resolve(DETAILED);
		String before = Files.readString(page);
		Files.writeString(page, before.replaceAll("(?s)(do not edit -->\n).*?(<!-- \\w+: end)", "$1old\n$2"));
		assertThat(page).content()
			.contains("old\n<!-- ratios: end", "old\n<!-- costs: end", "old\n<!-- shortfalls: end");
		new Report(SAMPLES, this.docs, this.details).write();
		assertThat(page).content().doesNotContain("old\n<!--");
		String marks = "(?s)(<!-- \\w+: begin).*?(<!-- \\w+: end -->)";
		assertThat(Files.readString(page).replaceAll(marks, "")).isEqualTo(before.replaceAll(marks, ""));
	}

	@Test
	void writeWhenPageHasNoMarksThenSaysWhichOnes() throws IOException {
		Files.writeString(this.docs.resolve(PAGE), "By hand only.");
		assertThatIllegalStateException().isThrownBy(() -> new Report(SAMPLES, this.docs, this.details).write())
			.withMessageContaining("performance.md lacks the marks");
	}

	@Test
	void writeWhenNothingWasMeasuredThenSaysHowTo() {
		assertThatIllegalStateException().isThrownBy(() -> new Report(this.docs, this.docs, this.details).write())
			.withMessageContaining("No samples in")
			.withMessageContaining("--results");
	}

}
