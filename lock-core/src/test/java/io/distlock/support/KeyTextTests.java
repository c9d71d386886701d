package io.distlock.support;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class KeyTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "stock:42", "a b", "\u4e2d\u6587", "\ud83d\ude00", "{'\"%\\" })
	void ofWhenPrintedThenAsItIs(String key) {
		assertThat(KeyText.of(key)).isSameAs(key);
	}

	@Test
	void ofWhenNotPrintedThenAsInJava() {
		assertThat(KeyText.of("a\r\n\tb\u0000\u001b[2J\u0085\u2028\u2029\u202ec"))
			.isEqualTo("a\\r\\n\\tb\\u0000\\u001b[2J\\u0085\\u2028\\u2029\\u202ec");
	}

	@Test
	void ofWhenLongThenBeginningAndLength() {
		assertThat(KeyText.of("x".repeat(256))).isEqualTo("x".repeat(256));
		assertThat(KeyText.of("x".repeat(1 << 20))).isEqualTo("x".repeat(256) + "\u2026 (1048576 characters)");
		assertThat(KeyText.of("x".repeat(255) + "\ud83d\ude00")).isEqualTo("x".repeat(255) + "\u2026 (257 characters)");
		assertThat(KeyText.of("\n".repeat(1 << 20))).isEqualTo("\\n".repeat(256) + "\u2026 (1048576 characters)");
	}

}
