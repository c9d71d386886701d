package io.distlock.redis.protocol;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.distlock.Holder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class CodecTests {

	private static final String ALPHABET = "ab%{}\r\n\u0000\u007f0125;\\:é\uD83D\uDE00 ";

	private final KeyCodec keys = new KeyCodec("lk:");

	private final Random random = new Random(42);

	@Test
	void encodeKeepsPlainKeysReadable() {
		assertThat(this.keys.encode("order:42")).isEqualTo("lk:order:42");
		assertThat(this.keys.encode("{a}\n")).isEqualTo("lk:%007ba%007d%000a");
	}

	@Test
	void encodeNeverMapsTwoKeysToOneAndDecodesBack() {
		Map<String, String> seen = new HashMap<>();
		for (int i = 0; i < 100_000; i++) {
			String key = randomText(8);
			String name = this.keys.encode(key);
			assertThat(this.keys.decode(name)).isEqualTo(key);
			assertThat(seen.put(name, key)).isIn(null, key);
			assertThat(new String(name.getBytes(java.nio.charset.StandardCharsets.UTF_8),
					java.nio.charset.StandardCharsets.UTF_8))
				.isEqualTo(name);
		}
	}

	@Test
	void holderSurvivesAnyText() {
		for (int i = 0; i < 1000; i++) {
			Holder holder = new Holder(randomText(5), randomText(5), "id", randomText(5), randomText(5), Instant.EPOCH);
			assertThat(HolderCodec.decode(new HolderCodec().encode(holder), "id", 0)).isEqualTo(holder);
		}
	}

	@Test
	void holderSinceComesFromToken() {
		assertThat(HolderCodec.decode("", "id", 1_795_225_522_033_810L).since())
			.isEqualTo(Instant.parse("2026-11-21T01:45:22.033810Z"));
	}

	@Test
	void holderWhenWrittenByAnotherProgramThenPrintableAndBounded() {
		String hostile = "a\r\n\u001b[31m" + "x".repeat(1 << 20);
		Holder holder = HolderCodec.decode(String.join(";", hostile, hostile, hostile, hostile), hostile, 1);
		assertThat(holder.describe(Instant.EPOCH)).startsWith("a\\r\\n\\u001b[31mxxx")
			.doesNotContain("\n", "\u001b")
			.hasSizeLessThan(2000);
		assertThat(HolderCodec.decode("app;host;thread\u2028;a\tb", "id", 1)).extracting(Holder::thread, Holder::caller)
			.containsExactly("thread\\u2028", "a\\tb");
	}

	/** A kept hold has two marks; others are of another program. */
	@Test
	void holderWhenTheMarksOfAKeptHoldAreNotOursThenReadAllTheSame() {
		assertThat(HolderCodec.decode("", "~7~id.2", 1).instance()).isEqualTo("id.2");
		for (String instance : List.of("~", "~id", "~".repeat(8000))) {
			assertThat(HolderCodec.decode("", instance, 1).instance()).contains("~");
		}
	}

	@Test
	void holderPartsAreCut() {
		Holder holder = new Holder("x".repeat(1000), "", "id", "", "", Instant.EPOCH);
		assertThat(new HolderCodec().encode(holder)).hasSizeLessThan(250);
	}

	private String randomText(int length) {
		StringBuilder text = new StringBuilder();
		for (int i = this.random.nextInt(length + 1); i > 0; i--) {
			text.append(ALPHABET.charAt(this.random.nextInt(ALPHABET.length())));
		}
		return text.toString();
	}

	@Test
	void decodeWhenLongKeyIsNotInUseThenItIsForgotten() {
		Map<String, String> used = new HashMap<>();
		for (int i = 0; i < 1000; i++) {
			String key = i + "x".repeat(1000);
			String name = this.keys.encode(key);
			used.put(name, key);
			this.keys.remember(key, name);
		}
		String name = this.keys.encode(7 + "x".repeat(1000));
		assertThat(this.keys.decode(name)).isSameAs(used.get(name));
		used.keySet().removeIf((each) -> !each.equals(name));
		await().until(() -> {
			System.gc();
			this.keys.remember(used.get(name), name);
			return this.keys.remembered() == 1;
		});
		assertThat(this.keys.decode(name)).isSameAs(used.get(name));
	}

}
