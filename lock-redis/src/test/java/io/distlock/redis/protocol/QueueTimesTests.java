package io.distlock.redis.protocol;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueTimesTests {

	private final QueueTimes times = new QueueTimes(Duration.ofMillis(500), Duration.ofSeconds(2),
			Duration.ofSeconds(10));

	@Test
	void claimIsAThirdOfTheLease() {
		assertThat(this.times.claimMillis(Duration.ofSeconds(12))).isEqualTo(4000);
	}

	@Test
	void claimWhenTheLeaseIsLongThenOverBeforeTheEndOfTheRequestIsForgotten() {
		assertThat(this.times.claimMillis(Duration.ofSeconds(30))).isEqualTo(8000);
		assertThat(this.times.claimMillis(Duration.ofDays(1))).isEqualTo(8000);
	}

	@Test
	void claimWhenTheLeaseIsShortThenLongEnoughForAPoll() {
		assertThat(this.times.claimMillis(Duration.ofMillis(100))).isEqualTo(1500);
	}

}
