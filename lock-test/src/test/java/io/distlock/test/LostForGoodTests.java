package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.spi.LockClock;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A renewal is confirmed at the very moment when the lock would be over, and somebody
 * looks. The engine stops for 5 ms after one of its looks at the clock, the time is over
 * meanwhile, and the question comes. A caller that knows of the loss must never see it
 * alive again, and its release must say so.
 */
class LostForGoodTests {

	private static final LockRequest REQUEST = LockRequest.of("stock:42");

	private final AtomicReference<StoppingClock> machine = new AtomicReference<>();

	private final LossWorld world = new LossWorld(Runnable::run, (clock) -> {
		this.machine.set(new StoppingClock(clock));
		return this.machine.get();
	});

	@AfterEach
	void close() {
		this.world.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void isHeldWhenRenewedInTheLastMomentThenFalseForGood(int reading) throws Exception {
		LockHandle lock = this.world.template.acquire(REQUEST);
		check(lock, reading, lock::isHeld);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void isHeldByReaderWhenRenewedInTheLastMomentThenFalseForGood(int reading) throws Exception {
		LockHandle lock = this.world.template.acquire(REQUEST.mode(LockMode.SHARED));
		check(lock, reading, lock::isHeld);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void remainingWhenRenewedInTheLastMomentThenNothingForGood(int reading) throws Exception {
		LockHandle lock = this.world.template.acquire(REQUEST);
		check(lock, reading, () -> !lock.remaining().isZero());
	}

	private void check(LockHandle lock, int reading, Callable<Boolean> question) throws Exception {
		StoppingClock clock = this.machine.get();
		this.world.store.beforeAnswer(Verb.RENEW, () -> {
			this.world.store.heal();
			this.world.clock.skip(lock.remaining().minusMillis(1));
			clock.stopAfter(reading, question);
		});
		this.world.clock.advance(Duration.ofSeconds(10).plusMillis(1));
		boolean held = TestThreads.get(clock.answer());
		assertThat(lock.isHeld()).isEqualTo(held);
		if (held) {
			assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(1));
			lock.close();
		}
		else {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close)
				.withMessageContaining("its lease ended before a renewal was confirmed");
		}
	}

	/** Stops who reads it, as a scheduler stops a thread. */
	private static final class StoppingClock implements LockClock {

		private final VirtualClock clock;

		/** Read by all, written by the one it names. */
		private volatile Thread stopped;

		private int readings;

		private volatile FutureTask<Boolean> answer;

		StoppingClock(LockClock clock) {
			this.clock = (VirtualClock) clock;
		}

		/** The calling thread is stopped after so many readings. */
		void stopAfter(int readings, Callable<Boolean> question) {
			this.answer = new FutureTask<>(question);
			this.readings = readings;
			this.stopped = Thread.currentThread();
		}

		FutureTask<Boolean> answer() {
			return this.answer;
		}

		@Override
		public long nanoTime() {
			long read = this.clock.nanoTime();
			if (Thread.currentThread() == this.stopped && --this.readings == 0) {
				this.stopped = null;
				this.clock.skip(Duration.ofMillis(5));
				Thread asking = new Thread(this.answer, "asking");
				asking.start();
				while (!this.answer.isDone() && asking.getState() != Thread.State.WAITING) {
					Thread.onSpinWait();
				}
			}
			return read;
		}

		@Override
		public Instant instant() {
			return this.clock.instant();
		}

		@Override
		public void park(long nanos) {
			this.clock.park(nanos);
		}

	}

}
