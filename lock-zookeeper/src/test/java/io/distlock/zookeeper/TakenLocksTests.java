package io.distlock.zookeeper;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which locks other processes had a moment ago. */
class TakenLocksTests {

	private long now = Long.MAX_VALUE - 5;

	private final TakenLocks locks = new TakenLocks(() -> this.now);

	@Test
	void lockIsTakenForAMoment() {
		this.locks.taken("stock");
		this.now += TimeUnit.MILLISECONDS.toNanos(99);
		assertThat(this.locks.isTaken("stock")).isTrue();
		assertThat(this.locks.isTaken("other")).isFalse();
		this.now += TimeUnit.MILLISECONDS.toNanos(1);
		assertThat(this.locks.isTaken("stock")).isFalse();
	}

	@Test
	void lockThatWasReleasedIsNotTaken() {
		this.locks.taken("stock");
		this.locks.free("stock");
		assertThat(this.locks.isTaken("stock")).isFalse();
	}

	@Test
	void oldestIsForgottenFirst() {
		this.locks.taken("oldest");
		for (int i = 0; i < TakenLocks.REMEMBERED; i++) {
			this.locks.taken("stock " + i);
		}
		assertThat(this.locks.isTaken("oldest")).isFalse();
		assertThat(this.locks.isTaken("stock 0")).isTrue();
	}

}
