package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.spi.TransientStoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A thread without stack or memory acquires a lock or closes a handle: wherever the error
 * comes, nothing is renewed for ever, and nobody waits for ever.
 */
class FailingThreadTests {

	private static final LockRequest REQUEST = LockRequest.of("stock:42");

	private static final Duration LEASE = EngineWorld.LEASE;

	/** More than a release reads the clock. */
	private static final int READINGS = 100;

	private final List<String> failures = new ArrayList<>();

	@Test
	void acquireWhenItFailsThenNothingIsLeft() {
		failEverywhere((world) -> world.fail(() -> world.engine.acquire(REQUEST).close()));
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	@Test
	void acquireSeveralWhenItFailsThenNothingIsLeft() {
		LockRequest several = LockRequest.ofAll(List.of("stock:41", REQUEST.key())).waitAtMost(LEASE);
		failEverywhere((world) -> world.fail(() -> world.engine.acquire(several).close()));
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	@Test
	void closeAsyncWhenOneOfSeveralFailsThenNothingIsLeft() {
		LockRequest several = LockRequest.ofAll(List.of("stock:41", REQUEST.key())).waitAtMost(LEASE);
		failEverywhere((world) -> {
			LockHandle both = world.acquireAsync(several);
			world.fail(both::closeAsync);
		});
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	@Test
	void acquireAsyncWhenItFailsThenNothingIsLeft() {
		failEverywhere((world) -> {
			List<CompletableFuture<LockHandle>> acquired = new ArrayList<>();
			world.fail(() -> {
				acquired.add(world.engine.acquireAsync(REQUEST).toCompletableFuture());
				world.runCallbacks();
			});
			world.pass(LEASE);
			acquired.forEach((future) -> assertThat(future).isDone());
			acquired.forEach((future) -> future.thenAccept(LockHandle::closeAsync));
		});
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	@Test
	void closeWhenItFailsThenItEndsWithItsLease() {
		failEverywhere((world) -> world.closeAndFail(world.engine.acquire(REQUEST)));
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	@Test
	void closeAsyncWhenItFailsThenItEndsWithItsLease() {
		failEverywhere((world) -> {
			LockHandle lock = world.acquireAsync(REQUEST);
			world.fail(lock::closeAsync);
		});
	}

	@Test
	void closeWhenAPermitFailsThenItEndsWithItsLease() {
		failEverywhere((world) -> world.closeAndFail(world.engine.acquire(LockRequest.permit("stock:42", 1))));
	}

	@Test
	void closeWhenAReaderFailsThenTheOtherReadersStay() {
		LockRequest read = REQUEST.mode(LockMode.SHARED);
		failEverywhere((world) -> {
			LockHandle first = world.acquireAsync(read);
			LockHandle second = world.acquireAsync(read);
			world.fail(first::closeAsync);
			world.pass(LEASE.multipliedBy(2));
			assertThat(second.isHeld()).isTrue();
			second.closeAsync();
		});
	}

	@Test
	void closeWhenTheLastReaderFailsThenItEndsWithItsLease() {
		failEverywhere((world) -> world.closeAndFail(world.engine.acquire(REQUEST.mode(LockMode.SHARED))));
	}

	/** Perhaps together with the outer one, which its owner learns. */
	@Test
	void closeWhenANestedAcquisitionFailsThenNothingIsLeft() {
		failEverywhere((world) -> {
			LockHandle outer = world.engine.acquire(REQUEST);
			world.closeAndFail(world.engine.acquire(REQUEST.mode(LockMode.SHARED)));
			world.pass(LEASE.multipliedBy(2));
			closeOrLost(outer);
		});
	}

	private static void closeOrLost(LockHandle outer) {
		if (outer.isHeld()) {
			outer.close();
		}
		else {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(outer::close);
		}
	}

	@Test
	void closeWhenItFailsToForgetItsCallbackThenItEndsWithItsLease() {
		failEverywhere((world) -> {
			LockHandle lock = world.engine.acquire(REQUEST);
			lock.onLost((handle) -> {
			});
			world.closeAndFail(lock);
		});
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	/** The one whose thread has failed must not keep its place in the queue. */
	@Test
	void acquireWhenItFailsBehindOthersThenTheyGetTheLock() {
		failEverywhere((world) -> {
			LockHandle held = world.acquireAsync(REQUEST);
			world.fail(() -> world.engine.tryAcquire(REQUEST.waitAtMost(Duration.ofSeconds(5))));
			CompletableFuture<LockHandle> next = world.engine.acquireAsync(REQUEST.waitAtMost(Duration.ofHours(1)))
				.toCompletableFuture();
			held.closeAsync();
			world.pass(Duration.ofSeconds(2));
			assertThat(next).isDone();
			next.join().closeAsync();
		});
		assertThat(this.failures).hasSizeGreaterThan(1);
	}

	@Test
	void closeWhenItFailsThenTheNextWaiterGetsTheLock() {
		failEverywhere((world) -> {
			LockHandle lock = world.engine.acquire(REQUEST);
			CompletableFuture<LockHandle> next = world.engine.acquireAsync(REQUEST.waitAtMost(Duration.ofHours(1)))
				.toCompletableFuture();
			world.closeAndFail(lock);
			world.pass(LEASE.multipliedBy(2));
			assertThat(next.getNow(null)).isNotNull().returns(true, LockHandle::isHeld);
			next.join().closeAsync();
		});
	}

	@Test
	void closeWhenItFailsThenTheNextReaderGetsTheLock() {
		closeBefore(REQUEST, REQUEST.mode(LockMode.SHARED));
	}

	@Test
	void closeWhenTheLastReaderFailsThenTheWriterGetsTheLock() {
		closeBefore(REQUEST.mode(LockMode.SHARED), REQUEST);
	}

	/** If the error came while the answer of the store was handled, it counts as none. */
	private void closeBefore(LockRequest first, LockRequest second) {
		failEverywhere((world) -> {
			LockHandle lock = world.engine.acquire(first);
			CompletableFuture<LockHandle> next = world.engine.acquireAsync(second.waitAtMost(Duration.ofHours(1)))
				.toCompletableFuture();
			world.closeAndFail(lock);
			world.pass(LEASE.multipliedBy(2));
			assertThat(next).isDone();
			if (next.isCompletedExceptionally()) {
				assertThat(next).failsWithin(Duration.ZERO)
					.withThrowableThat()
					.withCauseInstanceOf(TransientStoreException.class);
			}
			else {
				assertThat(next.join().isHeld()).isTrue();
				next.join().closeAsync();
			}
		});
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	@Test
	void acquireWhenAReaderFailsThenNothingIsLeft() {
		failEverywhere((world) -> world.fail(() -> world.engine.acquire(REQUEST.mode(LockMode.SHARED)).close()));
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	@Test
	void acquireWhenAReaderFailsToJoinThenTheOthersStay() throws InterruptedException {
		LockRequest read = REQUEST.mode(LockMode.SHARED);
		World world = new World(Integer.MAX_VALUE);
		LockHandle first = world.acquireAsync(read);
		CountDownLatch tried = new CountDownLatch(1);
		CountDownLatch over = new CountDownLatch(1);
		FailingHash second = new FailingHash(() -> {
			Throwable caught = catchThrowable(() -> world.engine.acquire(read));
			this.failures.add(String.valueOf(caught));
			tried.countDown();
			await(over);
		});
		second.start();
		await(tried);
		world.pass(LEASE.multipliedBy(2));
		assertThat(first.isHeld()).isTrue();
		first.closeAsync();
		// While the thread lives nothing else would end its hold.
		boolean free = world.freeElsewhere();
		over.countDown();
		second.join();
		assertThat(free).isTrue();
		assertThat(this.failures).singleElement().asString().contains("StackOverflowError");
		world.pass(LEASE);
		assertThat(world.engine.isIdle()).isTrue();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void closeWhenAMinimumHoldFailsThenItEnds() {
		failEverywhere((world) -> world.closeAndFail(world.engine.acquire(REQUEST.holdAtLeast(Duration.ofSeconds(5)))));
	}

	@Test
	void lockWhenItFailsThenNothingIsLeft() {
		failEverywhere((world) -> {
			Lock lock = world.engine.getLock(REQUEST.key());
			boolean[] locked = new boolean[1];
			world.fail(() -> {
				lock.lock();
				locked[0] = true;
			});
			if (locked[0]) {
				lock.unlock();
			}
		});
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	@Test
	void acquireWhenANestedOneFailsThenNothingIsLeft() {
		failEverywhere((world) -> {
			LockHandle outer = world.engine.acquire(REQUEST);
			world.fail(() -> world.engine.acquire(REQUEST).close());
			world.pass(LEASE.multipliedBy(2));
			closeOrLost(outer);
		});
		assertThat(this.failures).hasSizeGreaterThan(2);
	}

	@Test
	void unlockWhenItFailsThenItEndsWithItsLease() {
		failEverywhere((world) -> {
			Lock lock = world.engine.getLock(REQUEST.key());
			lock.lock();
			world.fail(lock::unlock);
			if (world.reading <= 2 && world.failed) {
				// It had not even found its hold: as a Lock it is not released.
				assertThat(world.engine.holdCount(REQUEST.key())).isOne();
				lock.unlock();
			}
		});
		assertThat(this.failures).hasSizeGreaterThan(3);
	}

	/**
	 * Lets one reading of the clock fail after the other, until a release reads no more.
	 */
	private void failEverywhere(Step step) {
		for (int reading = 1; reading < READINGS; reading++) {
			World world = new World(reading);
			step.perform(world);
			world.pass(LEASE.multipliedBy(4));
			assertThat(world.engine.isIdle()).as("nothing is left after reading %s", reading).isTrue();
			assertThat(world.freeElsewhere()).as("free after reading %s", reading).isTrue();
			if (!world.failed) {
				return;
			}
			this.failures.add("reading " + reading);
		}
		throw new AssertionError("A release reads the clock more than " + READINGS + " times");
	}

	/** A thread that cannot be put into a map. */
	private static final class FailingHash extends Thread {

		FailingHash(Runnable body) {
			super(body);
		}

		@Override
		public int hashCode() {
			throw new StackOverflowError("test");
		}

	}

	private interface Step {

		void perform(World world);

	}

	/** An engine without a housekeeping thread, and a clock that fails once. */
	private static final class World extends EngineWorld {

		private final int reading;

		private int left = Integer.MAX_VALUE;

		private boolean failed;

		World(int reading) {
			this.reading = reading;
		}

		void closeAndFail(LockHandle lock) {
			fail(lock::close);
		}

		void fail(Runnable release) {
			this.left = this.reading;
			try {
				release.run();
			}
			catch (StackOverflowError | LockException ex) {
				assertThat(this.failed).isTrue();
			}
			this.left = Integer.MAX_VALUE;
		}

		void pass(Duration time) {
			long end = this.clock.nanoTime() + time.toNanos();
			while (this.clock.nanoTime() - end < 0) {
				runCallbacks();
				this.engine.housekeeper().visitDue(this.clock.nanoTime());
				this.clock.moveTo(this.clock.nanoTime() + TimeUnit.SECONDS.toNanos(1));
			}
		}

		boolean freeElsewhere() {
			Optional<LockHandle> lock = this.elsewhere.tryAcquire(REQUEST);
			lock.ifPresent(LockHandle::close);
			return lock.isPresent();
		}

		@Override
		void disturb() {
			if (--this.left == 0) {
				this.failed = true;
				throw new StackOverflowError("test");
			}
		}

		@Override
		public void park(long nanos) {
			pass(Duration.ofSeconds(1));
		}

	}

}
