package io.distlock.internal.time;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LocalDeadlineTests {

	@Test
	void afterThenDriftAndMarginAreTakenOff() {
		long seconds = TimeUnit.SECONDS.toNanos(30);
		assertThat(LocalDeadline.after(1000, 30_000)).isEqualTo(1000 + seconds - seconds / 1000 - 2_000_000);
	}

	@Test
	void afterWhenNothingLeftThenInThePast() {
		assertThat(LocalDeadline.after(0, -5)).isNegative();
	}

	@Test
	void earlierWhenClockWrapsAroundThenStillEarlier() {
		long before = Long.MAX_VALUE - 10;
		long after = before + 20;
		assertThat(LocalDeadline.earlier(after, before)).isEqualTo(before);
	}

}
