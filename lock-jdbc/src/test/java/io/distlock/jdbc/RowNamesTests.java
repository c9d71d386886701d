package io.distlock.jdbc;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RowNamesTests {

	private final RowNames names = new RowNames("shop:");

	@Test
	void usualKeyStaysReadable() {
		assertThat(this.names.of("stock:book 1")).isEqualTo("shop:stock:book%00201");
	}

	@Test
	void randomKeysAreKeptApartAndPrintable() {
		Random random = new Random(7);
		Map<String, String> keys = new HashMap<>();
		for (int i = 0; i < 100_000; i++) {
			String key = random.ints(random.nextInt(6), 0, 0x10000)
				.map((c) -> (c % 3 == 0) ? "% ~-aA\uD800\uDC00".charAt(c % 8) : c)
				.collect(StringBuilder::new, (text, c) -> text.append((char) c), StringBuilder::append)
				.toString();
			String name = this.names.of(key);
			assertThat(name).matches("shop:[!-~]+").hasSizeLessThanOrEqualTo(RowNames.LONGEST);
			assertThat(keys.putIfAbsent(name, key)).isIn(null, key);
		}
	}

	@Test
	void longKeysAreKeptApart() {
		String longKey = "x".repeat(10_000);
		assertThat(this.names.of(longKey + "a")).hasSizeLessThanOrEqualTo(RowNames.LONGEST)
			.isNotEqualTo(this.names.of(longKey + "b"));
		assertThat(this.names.of("\n".repeat(200))).hasSizeLessThanOrEqualTo(RowNames.LONGEST);
		assertThat(new RowNames("p".repeat(50)).of(longKey)).hasSizeLessThanOrEqualTo(RowNames.LONGEST);
	}

}
