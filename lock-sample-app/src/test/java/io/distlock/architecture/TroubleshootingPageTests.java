package io.distlock.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page that explains messages has those that the sources have. {@code …} stands for a
 * value.
 */
class TroubleshootingPageTests {

	private static final Pattern MESSAGE = Pattern.compile("^- `([^`]+)`", Pattern.MULTILINE);

	private static final List<String> MESSAGES = MESSAGE.matcher(MarkdownPage.of("docs/troubleshooting.md").text())
		.results()
		.map((message) -> message.group(1))
		.toList();

	private final SourceTexts sources = SourceTexts.read();

	@Test
	void messagesOfThePageAreInTheSources() {
		assertThat(MESSAGES).hasSizeGreaterThan(40).allMatch((message) -> this.sources.has(parts(message)));
	}

	/** Also the other way round: what is logged as a warning or an error is explained. */
	@Test
	void warningsOfTheSourcesAreOnThePage() {
		assertThat(this.sources.warnings()).hasSizeGreaterThan(10)
			.filteredOn((warning) -> !warning.matches("[{}: ]*"))
			.allMatch((warning) -> MESSAGES.stream()
				.anyMatch((message) -> parts(message).stream().allMatch(warning::contains)));
	}

	private static List<String> parts(String message) {
		List<String> parts = Arrays.stream(message.split("…"))
			.map(String::strip)
			.filter((part) -> part.length() > 2)
			.toList();
		assertThat(parts).as(message).isNotEmpty();
		return parts;
	}

}
