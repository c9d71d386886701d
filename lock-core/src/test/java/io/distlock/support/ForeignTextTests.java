package io.distlock.support;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ForeignTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "stock:42", "a b", "\u4e2d\u6587", "\ud83d\ude00", "{'\"%\\" })
	void ofWhenPrintedThenAsItIs(String key) {
		assertThat(ForeignText.of(key)).isSameAs(key);
	}

	@Test
	void ofWhenNotPrintedThenAsInJava() {
		assertThat(ForeignText.of("a\r\n\tb\u0000\u001b[2J\u0085\u2028\u2029\u202ec"))
			.isEqualTo("a\\r\\n\\tb\\u0000\\u001b[2J\\u0085\\u2028\\u2029\\u202ec");
	}

	@Test
	void ofWhenOutsideTheFirstPlaneThenAsInJava() {
		assertThat(ForeignText.of("a\udb40\udc41b\ud83d\ude00")).isEqualTo("a\\udb40\\udc41b\ud83d\ude00");
		assertThat(ForeignText.of("half \ud83d")).isEqualTo("half \\ud83d");
	}

	@Test
	void messageOfWhenLongOrMissingThenBounded() {
		assertThat(ForeignText.messageOf(new IllegalStateException("a\u001bb"))).isEqualTo("a\\u001bb");
		assertThat(ForeignText.messageOf(new IllegalStateException())).isEqualTo("IllegalStateException");
		assertThat(ForeignText.messageOf(new IllegalStateException("x".repeat(1 << 20)))).hasSizeLessThan(2100)
			.endsWith("\u2026 (1048576 characters)");
	}

	@Test
	void messageOfWhenSeveralLinesThenInOneLine() {
		assertThat(ForeignText.messageOf(new IllegalStateException("no table x\n  Position: 9\r\n\nHint: y\n")))
			.isEqualTo("no table x Position: 9 Hint: y");
		assertThat(ForeignText.messageOf(new IllegalStateException("\n".repeat(1 << 20)))).isEmpty();
	}

	@Test
	void nameOfWhenThreadIsNamedAfterARequestThenOneLine() {
		assertThat(ForeignText.nameOf(new Thread("exec-1 GET /x\r\nERROR\u001b[31m")))
			.isEqualTo("exec-1 GET /x\\r\\nERROR\\u001b[31m");
	}

	@Test
	void contentWhenMissingThenNull() {
		assertThat(ForeignText.content(null)).isEqualTo("null");
	}

	@Test
	void ofWhenLongThenBeginningAndLength() {
		assertThat(ForeignText.of("x".repeat(256))).isEqualTo("x".repeat(256));
		assertThat(ForeignText.of("x".repeat(1 << 20))).isEqualTo("x".repeat(256) + "\u2026 (1048576 characters)");
		assertThat(ForeignText.of("x".repeat(255) + "\ud83d\ude00"))
			.isEqualTo("x".repeat(255) + "\u2026 (257 characters)");
		assertThat(ForeignText.of("\n".repeat(1 << 20))).isEqualTo("\\n".repeat(256) + "\u2026 (1048576 characters)");
	}

}
