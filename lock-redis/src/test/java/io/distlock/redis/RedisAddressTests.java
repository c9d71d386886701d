package io.distlock.redis;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedisAddressTests {

	@Test
	void parseWhenUserHasAColonThenItIsNotTakenForTheEndOfTheUser() {
		RedisAddress address = RedisAddress.parse("redis://shop%3Alocks:pa%3Ass+%40@Redis-1:7000/3");
		assertThat(address).isEqualTo(new RedisAddress("redis-1", 7000, 3, "shop:locks", "pa:ss+@", false));
		assertThat(address.toString()).isEqualTo("redis-1:7000/3");
	}

	@Test
	void parseWhenDefaultUserThenOnlyAPassword() {
		assertThat(RedisAddress.parse("rediss://:secret@redis-1"))
			.isEqualTo(new RedisAddress("redis-1", 6379, 0, null, "secret", true));
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis-1:0", "redis-1:65536", "redis://redis-1:637900/1" })
	void parseWhenPortIsNoneThenRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> RedisAddress.parse(text))
			.withMessage("has a port that is not from 1 to 65535");
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis-1/x", "redis-1/-1", "redis-1/4294967295", "redis-1/1/2" })
	void parseWhenDatabaseIsNoneThenRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> RedisAddress.parse(text))
			.withMessage("has a database that is not a number");
	}

	/** The JDK's message would repeat the text. */
	@Test
	void parseWhenMalformedThenThePasswordIsNotShown() {
		assertThatIllegalArgumentException().isThrownBy(() -> RedisAddress.parse("redis://:s3cret word@host"))
			.withMessageStartingWith("is not of the form")
			.withMessageNotContaining("s3cret")
			.withNoCause();
	}

}
