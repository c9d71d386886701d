package io.distlock.autoconfigure.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.autoconfigure.LockApplications;

import static org.assertj.core.api.Assertions.assertThat;

/** Addresses that no property has. */
class WrongDetailsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis());

	@Test
	void wrongAddressNamesTheBeanOfRedis() {
		this.runner.withBean(LockRedisConnectionDetails.class, () -> () -> "redis://:s3cret word@host")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("The address of the LockRedisConnectionDetails bean is not of the form")
				.hasMessageNotContaining("s3cret"));
	}

	@Test
	void wrongAddressNamesTheBeanOfRedlock() {
		this.runner.withBean(LockRedlockConnectionDetails.class, () -> () -> List.of("a:1", "b:1"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("The list of the LockRedlockConnectionDetails bean has 2 nodes"));
	}

}
