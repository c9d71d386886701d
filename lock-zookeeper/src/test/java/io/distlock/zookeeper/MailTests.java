package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Mail between processes, some of which may have another version. */
class MailTests {

	private static final RecordNode.Version VERSION = new RecordNode.Version("0123abcd", 7);

	@Test
	void mailIsReadAsItWasWritten() {
		Mail mail = new Mail(List.of("G;a;", "W;b;"), Optional.of(new Mail.Left(VERSION, "1|R 2 3|;")));
		assertThat(Mail.of(mail.data())).isEqualTo(mail);
		assertThat(new String(mail.data(), StandardCharsets.US_ASCII)).isEqualTo("G;a;\nW;b;\nR 0123abcd 7 1|R 2 3|;");
	}

	@Test
	void mailOfAnOlderVersionHasNoRecord() {
		assertThat(Mail.of("G;a;\nW;b;".getBytes(StandardCharsets.US_ASCII)))
			.isEqualTo(new Mail(List.of("G;a;", "W;b;"), Optional.empty()));
	}

	@Test
	void recordThatIsTooLongIsLeftOut() {
		Mail mail = new Mail(List.of("W;b;"), Optional.of(new Mail.Left(VERSION, "x".repeat(Mail.LONGEST_RECORD + 1))));
		assertThat(Mail.of(mail.data())).isEqualTo(new Mail(List.of("W;b;"), Optional.empty()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "R ", "R a", "R a 1", "R  1 text", "R a/b 1 text", "R a 1x text", "R a 99999999999 text",
			"R a -1 text" })
	void damagedRecordIsLeftOut(String line) {
		assertThat(Mail.of(("W;b;\n" + line).getBytes(StandardCharsets.US_ASCII)))
			.isEqualTo(new Mail(List.of("W;b;"), Optional.empty()));
	}

}
