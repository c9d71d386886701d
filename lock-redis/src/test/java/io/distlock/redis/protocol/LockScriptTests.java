package io.distlock.redis.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockScriptTests {

	/**
	 * After a change of a script, a server that knows the former text would run that one.
	 * What is expected is what the constants have to be.
	 */
	@Test
	void digestsAreThoseOfTheTexts() throws Exception {
		MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
		assertThat(constants((script) -> new String(script.encodedSha(), StandardCharsets.US_ASCII)))
			.isEqualTo(constants(
					(script) -> HexFormat.of().formatHex(sha1.digest(script.text().getBytes(StandardCharsets.UTF_8)))));
	}

	private static String constants(Function<LockScript, String> digest) {
		return Arrays.stream(LockScript.values())
			.map((script) -> script + "(\"" + digest.apply(script) + "\")")
			.collect(Collectors.joining(",\n\n\t", "\t", ";\n"));
	}

}
