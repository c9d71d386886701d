package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.stores.MovingLockTemplate;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Lets one allocation of a call fail after the other, each in a world of its own. */
final class FailingAllocations {

	private static final Duration LEASE = EngineWorld.LEASE;

	/** More than any call allocates. */
	private static final int MOST = 2_000;

	private final List<String> problems = new ArrayList<>();

	/** Called by the test, through another class loader. */
	void failEach(String name) {
		FailingAllocation call = FailingAllocation.valueOf(name);
		// Classes are initialized, which may fail only once.
		attempt(call, Integer.MAX_VALUE);
		int number = 1;
		while (number < MOST && attempt(call, number)) {
			number++;
		}
		assertThat(number).as("allocations").isBetween(20, MOST - 1);
		assertThat(this.problems).isEmpty();
	}

	private boolean attempt(FailingAllocation call, int number) {
		World world = new World();
		String place = world.failing(number, call);
		world.pass(LEASE.multipliedBy(4));
		world.problems().forEach((problem) -> this.problems.add(problem + ", " + number + ": " + place));
		return place != null;
	}

	/** Engines without threads of their own, and another process that wants the lock. */
	static final class World {

		private final Engines first = new Engines();

		private final Engines next = new Engines();

		private final List<CompletableFuture<?>> awaited = new ArrayList<>();

		private final List<String> problems = new ArrayList<>();

		LockTemplate template() {
			return this.first.engine;
		}

		LockTemplate moving() {
			return new MovingLockTemplate(this.first.engine, this.next.engine, Duration.ZERO);
		}

		/** A body runs, after which the lock must be released. */
		void done() {
			assertThat(this.first.engine.isHeldByCurrentThread(FailingAllocation.KEY)).isTrue();
		}

		/** Awaits a stage that must end. */
		void await(CompletionStage<?> stage) {
			this.awaited.add(stage.toCompletableFuture());
			runCallbacks();
		}

		/** Awaits a lock and releases it, as far as the caller gets it. */
		void keep(CompletionStage<LockHandle> stage) {
			await(stage);
			CompletableFuture<LockHandle> lock = stage.toCompletableFuture();
			if (lock.isDone() && !lock.isCompletedExceptionally()) {
				lock.join().closeAsync();
			}
		}

		/** Waits for the lock as a caller for whom nothing fails. */
		void waitBehind(LockRequest request) {
			AllocationFault.without(() -> {
				CompletableFuture<LockHandle> behind = this.first.engine
					.acquireAsync(request.waitAtMost(LEASE.multipliedBy(3)))
					.toCompletableFuture();
				this.awaited.add(behind);
				behind.thenAccept(LockHandle::closeAsync);
			});
		}

		void whileTaken(String key, Runnable call) {
			whileTaken(this.first, key, call);
		}

		void whileTakenInNext(String key, Runnable call) {
			whileTaken(this.next, key, call);
		}

		private static void whileTaken(Engines engines, String key, Runnable call) {
			List<LockHandle> other = new ArrayList<>();
			AllocationFault.without(() -> other.add(engines.elsewhere.acquire(key)));
			try {
				call.run();
			}
			finally {
				AllocationFault.without(other.get(0)::close);
			}
		}

		private @Nullable String failing(int number, FailingAllocation call) {
			Throwable thrown = null;
			AllocationFault.arm(number);
			try {
				call.call(this);
			}
			catch (OutOfMemoryError | LockException ex) {
				thrown = ex;
			}
			String place = AllocationFault.disarm();
			if (thrown != null && place == null) {
				throw new AssertionError("The call failed by itself", thrown);
			}
			return place;
		}

		private void runCallbacks() {
			this.first.runCallbacks();
			this.next.runCallbacks();
		}

		void pass(Duration time) {
			this.first.pass(time);
			this.next.pass(time);
			runCallbacks();
		}

		List<String> problems() {
			if (!this.first.engine.isIdle() || !this.next.engine.isIdle()) {
				this.problems.add("something is left");
			}
			for (Engines engines : List.of(this.first, this.next)) {
				for (String key : List.of(FailingAllocation.KEY, FailingAllocation.LAST_KEY)) {
					Optional<LockHandle> lock = engines.elsewhere.tryAcquire(key);
					if (lock.isEmpty()) {
						this.problems.add("taken for ever");
					}
					lock.ifPresent(LockHandle::close);
				}
			}
			if (this.awaited.stream().anyMatch((stage) -> !stage.isDone())) {
				this.problems.add("never completed");
			}
			if (Thread.interrupted()) {
				this.problems.add("interrupted later");
			}
			if (io.distlock.LockContext.current().isPresent()) {
				this.problems.add("still under the lock");
			}
			return this.problems;
		}

	}

	/** Two engines on one store. */
	private static final class Engines extends EngineWorld {

		@Override
		void disturb() {
			// The clock never fails.
		}

		void pass(Duration time) {
			long end = this.clock.nanoTime() + time.toNanos();
			while (this.clock.nanoTime() - end < 0) {
				runCallbacks();
				this.engine.housekeeper().visitDue(this.clock.nanoTime());
				this.clock.moveTo(this.clock.nanoTime() + TimeUnit.SECONDS.toNanos(1));
			}
		}

		@Override
		public void park(long nanos) {
			pass(Duration.ofSeconds(1));
		}

	}

}
