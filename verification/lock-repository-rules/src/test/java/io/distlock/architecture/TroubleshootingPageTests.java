package io.distlock.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import io.distlock.LossReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page that explains messages has those that the sources have. {@code …} stands for a
 * value.
 */
class TroubleshootingPageTests {

	/** One or more messages, and then what they mean. */
	private static final Pattern ENTRY = Pattern.compile("^- (`[^`]+`(?:,\\s+`[^`]+`)*)", Pattern.MULTILINE);

	private static final List<String> MESSAGES = ENTRY.matcher(MarkdownPage.of("docs/troubleshooting.md").text())
		.results()
		.flatMap((entry) -> Arrays.stream(entry.group(1).split("`(,\\s+`)?")))
		.filter((message) -> !message.isEmpty())
		.toList();

	private final SourceTexts sources = SourceTexts.read();

	@Test
	void messagesOfThePageAreInTheSources() {
		assertThat(MESSAGES).hasSizeGreaterThan(40);
		assertThat(MESSAGES).filteredOn((message) -> !this.sources.has(parts(message)))
			.as("messages that are not in the sources any more")
			.isEmpty();
	}

	/** Also the other way round: what is logged as a warning or an error is explained. */
	@Test
	void warningsOfTheSourcesAreOnThePage() {
		assertThat(this.sources.warnings()).hasSizeGreaterThan(10);
		assertThat(this.sources.warnings()).filteredOn((warning) -> !warning.matches("[{}: ]*"))
			.filteredOn((warning) -> !isOnThePage(warning))
			.as("warnings that docs/troubleshooting.md does not explain")
			.isEmpty();
	}

	/** What a caller gets as an exception is explained, wherever it is thrown. */
	@Test
	void exceptionsOfTheSourcesAreOnThePage() {
		assertThat(this.sources.exceptions()).hasSizeGreaterThan(40);
		assertThat(this.sources.exceptions()).filteredOn((text) -> !isOnThePage(text))
			.as("exceptions that docs/troubleshooting.md does not explain")
			.isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void reasonOfALossIsOnThePage(LossReason reason) {
		assertThat(MESSAGES).anyMatch(reason.description()::startsWith);
	}

	private static boolean isOnThePage(String text) {
		return MESSAGES.stream().anyMatch((message) -> parts(message).stream().allMatch(text::contains));
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
