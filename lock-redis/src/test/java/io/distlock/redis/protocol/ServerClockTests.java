package io.distlock.redis.protocol;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerClockTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final ServerClock clock = new ServerClock();

	@Test
	void notAfterWhenNothingKnownThenNone() {
		assertThat(this.clock.notAfter(nanos(5000), TIMEOUT)).isZero();
	}

	@Test
	void notAfterFollowsTheQuickestAnswer() {
		observe(1000, 1400, 101_010);
		observe(2000, 2002, 102_001);
		observe(3000, 3500, 103_400);
		assertThat(this.clock.notAfter(nanos(4000), TIMEOUT)).isBetween(105_095L, 105_105L);
	}

	@Test
	void notAfterWhenServerClockSteppedThenFollowsBothWays() {
		observe(1000, 1001, 101_000);
		observe(2000, 2001, 202_000);
		assertThat(this.clock.notAfter(nanos(3000), TIMEOUT)).isBetween(204_095L, 204_105L);
		observe(3000, 3001, 3_000);
		assertThat(this.clock.notAfter(nanos(4000), TIMEOUT)).isBetween(5_095L, 5_105L);
	}

	private void observe(long sent, long received, long server) {
		this.clock.observe(nanos(sent), nanos(received), server);
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
