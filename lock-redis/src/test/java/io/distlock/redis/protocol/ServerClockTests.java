package io.distlock.redis.protocol;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

	/** Or the next acquisition would be too late, or never. */
	@ParameterizedTest
	@ValueSource(longs = { -1, Long.MIN_VALUE, Long.MAX_VALUE, 9_100_000_000_000_000L })
	void observeWhenNoServerHasThatTimeThenRefusedAndNothingIsLearned(long server) {
		observe(1000, 1001, 101_000);
		assertThatIllegalArgumentException().isThrownBy(() -> observe(2000, 2001, server));
		assertThat(this.clock.notAfter(nanos(3000), TIMEOUT)).isBetween(104_095L, 104_105L);
	}

	private void observe(long sent, long received, long server) {
		this.clock.observe(nanos(sent), nanos(received), server);
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
