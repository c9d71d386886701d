package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static io.distlock.test.TestThreads.get;
import static io.distlock.test.TestThreads.inThread;
import static org.assertj.core.api.Assertions.assertThat;

/** Threads that park on the clock do not miss their time. */
class VirtualClockTests {

	private static final long STEP = Duration.ofSeconds(1).toNanos();

	private final VirtualClock clock = new VirtualClock();

	private final AtomicBoolean over = new AtomicBoolean();

	/**
	 * A race: a clock that skips the time of such a thread does so in half of the runs.
	 */
	@Test
	void advanceWhenAThreadWakesForNothingThenItsTimeIsNotSkipped() throws Exception {
		TestThreads.Task<Long> sleeper = inThread(this::greatestDelay);
		this.clock.awaitThreads(1);
		TestThreads.Task<Void> disturber = TestThreads.runInThread(() -> {
			while (!this.over.get()) {
				LockSupport.unpark(sleeper.thread());
				// Now and then it wakes just after all threads were calm.
				Pause.of(Duration.ofNanos(100_000));
			}
		});
		for (int i = 0; i < 20; i++) {
			this.clock.advance(Duration.ofSeconds(100));
		}
		this.over.set(true);
		LockSupport.unpark(sleeper.thread());
		get(disturber);
		assertThat(get(sleeper)).isZero();
	}

	@Test
	void advanceWhenAMessageIsUnderWayThenOnlyAfterItHasArrived() {
		AtomicLong arrivedAt = new AtomicLong(-1);
		this.clock.deliver(() -> {
			Pause.of(Duration.ofMillis(20));
			arrivedAt.set(this.clock.nanoTime());
		});
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(arrivedAt).hasValue(0);
	}

	private long greatestDelay() {
		long greatest = 0;
		long due = STEP;
		while (!this.over.get()) {
			this.clock.park(due - this.clock.nanoTime());
			long now = this.clock.nanoTime();
			if (now >= due) {
				greatest = Math.max(greatest, now - due);
				due = now + STEP;
			}
		}
		return greatest;
	}

}
