package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.spi.LockClock;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A lock that is over by the time somebody here hears of it. On virtual time. */
class SleptThroughTests {

	private static final LockRequest REQUEST = LockRequest.of("stock:42").waitAtMost(Duration.ofMinutes(2));

	private final Queue<Runnable> mail = new ConcurrentLinkedQueue<>();

	private final AtomicReference<Runnable> onWaking = new AtomicReference<>();

	private final LossWorld world = new LossWorld(this.mail::add, Sleeper::new);

	@AfterEach
	void close() {
		this.world.close();
	}

	/** The machine sleeps: its monotonic clock stands still, the world goes on. */
	private void suspend(Duration duration) {
		this.world.clock.stepWallClock(duration);
		this.world.storeClock.step(duration);
	}

	private void deliverMail() {
		for (Runnable message = this.mail.poll(); message != null; message = this.mail.poll()) {
			message.run();
		}
	}

	@Test
	void messageWhenTheMachineSleptMeanwhileThenNotBelieved() throws Exception {
		LockHandle first = this.world.elsewhere.acquire(REQUEST);
		FutureTask<LockHandle> waiter = TestThreads.inWaitingThread(() -> this.world.template.acquire(REQUEST));
		first.close();
		suspend(Duration.ofSeconds(10));
		LockHandle second = this.world.elsewhere.acquire(REQUEST);
		deliverMail();
		this.world.clock.advance(Duration.ofMillis(1));
		assertThat(second.isHeld()).isTrue();
		assertThat(waiter).as("somebody else has it").isNotDone();
		second.close();
		deliverMail();
		// Of several messages for a request only the first may be believed; the store is
		// asked about this one.
		this.world.clock.advance(Duration.ofMillis(10));
		assertThat(TestThreads.get(waiter).isHeld()).isTrue();
	}

	@Test
	void answerWhenTheMachineSleptMeanwhileThenAskedForAnew() {
		this.world.store.beforeAnswer(Verb.ACQUIRE, () -> {
			this.world.store.heal();
			suspend(Duration.ofSeconds(40));
		});
		LockHandle lock = this.world.template.acquire(REQUEST);
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(29));
		assertThat(this.world.store.count(Verb.ACQUIRE)).isEqualTo(2);
		assertThat(this.world.witness.lost).isEmpty();
	}

	/** How the time passes before a thread that was granted the lock gets to run. */
	enum Pause {

		FROZEN, SUSPENDED

	}

	private void pause(Pause kind) {
		Duration longerThanTheClaim = Duration.ofSeconds(9);
		if (kind == Pause.FROZEN) {
			this.world.clock.skip(longerThanTheClaim);
		}
		else {
			suspend(longerThanTheClaim);
		}
	}

	private Throwable grantedAndPaused(Pause kind, LockedBody body) throws Exception {
		LockHandle first = this.world.elsewhere.acquire(REQUEST);
		FutureTask<Throwable> waiter = TestThreads.inWaitingThread(() -> catchThrowable(() -> body.run()));
		first.close();
		this.onWaking.set(() -> pause(kind));
		deliverMail();
		return TestThreads.get(waiter);
	}

	private interface LockedBody {

		void run() throws InterruptedException;

	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenOverBeforeItReturnsThenLost(Pause kind) throws Exception {
		assertThat(grantedAndPaused(kind, () -> this.world.template.acquire(REQUEST)))
			.isInstanceOf(LockLostException.class);
	}

	@ParameterizedTest
	@EnumSource
	void lockWhenOverBeforeItReturnsThenLostAndNotToBeUnlocked(Pause kind) throws Exception {
		Lock lock = this.world.template.getLock("stock:42");
		assertThat(grantedAndPaused(kind, lock::lock)).isInstanceOf(LockLostException.class);
		this.world.clock.advance(Duration.ofSeconds(30));
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void tryLockWhenOverBeforeItReturnsThenLost(Pause kind) throws Exception {
		Lock lock = this.world.template.getLock("stock:42");
		assertThat(grantedAndPaused(kind, () -> lock.tryLock(2, TimeUnit.MINUTES)))
			.isInstanceOf(LockLostException.class);
	}

	/** A clock on which time may pass between a thread's waking and its next step. */
	private final class Sleeper implements LockClock {

		private final LockClock clock;

		Sleeper(LockClock clock) {
			this.clock = clock;
		}

		@Override
		public long nanoTime() {
			return this.clock.nanoTime();
		}

		@Override
		public Instant instant() {
			return this.clock.instant();
		}

		@Override
		public void park(long nanos) {
			this.clock.park(nanos);
			if ("worker".equals(Thread.currentThread().getName())) {
				Runnable pause = SleptThroughTests.this.onWaking.getAndSet(null);
				if (pause != null) {
					pause.run();
				}
			}
		}

	}

}
