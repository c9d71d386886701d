package io.distlock.architecture;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Records of decisions have one form, are short, and are all in the index. */
class DecisionTests {

	private static final Pattern TITLE = Pattern.compile("# (\\d+)\\. (.+)\n");

	private static final int A_PAGE = 450;

	static Stream<MarkdownPage> records() {
		return MarkdownPage.all().filter((page) -> page.toString().matches("docs/adr/\\d{4}-.*\\.md"));
	}

	@ParameterizedTest
	@MethodSource("records")
	void recordHasAStatusADecisionWhatWasRejectedAndAPrice(MarkdownPage record) {
		assertThat(record.text()).containsPattern("\\*\\*Status:\\*\\* (Accepted|Superseded by)");
		assertThat(record.text().lines().filter((line) -> line.startsWith("## "))).containsExactly("## Context",
				"## Decision", "## Rejected", "## Price");
		assertThat(record.text().split("\\s+")).hasSizeLessThanOrEqualTo(A_PAGE);
	}

	/** With the title and the number that it has. */
	@Test
	void everyRecordIsInTheIndexUnderItsNumber() {
		List<String> expected = records().map(DecisionTests::entry).toList();
		assertThat(expected).hasSizeGreaterThan(20);
		assertThat(MarkdownPage.of("docs/adr/README.md").text().lines().filter((line) -> line.matches("\\d+\\. .*")))
			.containsExactlyElementsOf(expected);
	}

	private static String entry(MarkdownPage record) {
		Matcher title = TITLE.matcher(record.text());
		assertThat(title.lookingAt()).as(record.toString()).isTrue();
		String file = record.file().getFileName().toString();
		assertThat(Integer.parseInt(file.substring(0, 4))).isEqualTo(Integer.parseInt(title.group(1)));
		return "%s. [%s](%s)".formatted(title.group(1), title.group(2), file);
	}

}
