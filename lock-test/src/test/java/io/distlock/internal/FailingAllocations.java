package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.distlock.LockContext;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.stores.MovingLockTemplate;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Lets one allocation of a call fail after the other, each in a world of its own. */
abstract class FailingAllocations {

	/** More than any call allocates. */
	private static final int MOST = 4_000;

	/** Creates a world in which nothing was acquired, for one call. */
	abstract World newWorld(FailingAllocation call, int number);

	/** Lets time pass in worlds, until what nobody renews is over. */
	abstract void passLeases(List<World> worlds);

	/** Lets each allocation of some calls fail. */
	void failEach(List<FailingAllocation> calls) {
		List<World> worlds = new ArrayList<>();
		for (FailingAllocation call : calls) {
			worlds.addAll(failEach(call));
		}
		passLeases(worlds);
		assertThat(worlds.stream().flatMap((world) -> world.problems().stream())).isEmpty();
	}

	private List<World> failEach(FailingAllocation call) {
		// Classes are initialized, which may fail only once.
		newWorld(call, 0).failing(Integer.MAX_VALUE, call);
		List<World> worlds = new ArrayList<>();
		boolean failed = true;
		while (failed && worlds.size() < MOST) {
			int number = worlds.size() + 1;
			World world = newWorld(call, number);
			failed = world.failing(number, call);
			worlds.add(world);
		}
		assertThat(worlds.size()).as("allocations of %s", call).isBetween(20, MOST - 1);
		return worlds;
	}

	/** Two engines on one store. */
	interface Engines {

		/** Returns the engine whose calls fail. */
		LockTemplate here();

		/** Returns another process that wants the lock. */
		LockTemplate elsewhere();

		/**
		 * Lets a call without a thread go on, until its stage is complete if it can be.
		 */
		void settle(CompletionStage<?> stage);

		/**
		 * Returns whether the engine whose calls fail has anything left of these keys.
		 */
		boolean keeps(List<String> keys);

	}

	/** Two stores, each with engines, and the keys of one call. */
	static final class World {

		private final Engines first;

		private final Engines next;

		private final String key;

		private final List<CompletableFuture<?>> awaited = new ArrayList<>();

		private final List<String> problems = new ArrayList<>();

		private String fault = "nothing";

		World(Engines first, Engines next, String key) {
			this.first = first;
			this.next = next;
			this.key = key;
		}

		String key() {
			return this.key;
		}

		String lastKey() {
			return this.key + ":last";
		}

		LockRequest request() {
			return LockRequest.of(key());
		}

		LockRequest several() {
			return LockRequest.ofAll(List.of(key(), lastKey()));
		}

		LockTemplate template() {
			return this.first.here();
		}

		LockTemplate moving() {
			return new MovingLockTemplate(this.first.here(), this.next.here(), Duration.ZERO);
		}

		/** A body runs, after which the lock must be released. */
		void done() {
			assertThat(template().isHeldByCurrentThread(key())).isTrue();
		}

		/** Awaits a stage that must end. */
		void await(CompletionStage<?> stage) {
			this.awaited.add(stage.toCompletableFuture());
			this.first.settle(stage);
			this.next.settle(stage);
			this.first.settle(stage);
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
				CompletableFuture<LockHandle> behind = template()
					.acquireAsync(request.waitAtMost(EngineWorld.LEASE.multipliedBy(3)))
					.toCompletableFuture();
				this.awaited.add(behind);
				behind.thenAccept(LockHandle::closeAsync);
			});
		}

		void whileTaken(String taken, Runnable call) {
			whileTaken(this.first, taken, call);
		}

		void whileTakenInNext(String taken, Runnable call) {
			whileTaken(this.next, taken, call);
		}

		private static void whileTaken(Engines engines, String taken, Runnable call) {
			List<LockHandle> other = new ArrayList<>();
			AllocationFault.without(() -> other.add(engines.elsewhere().acquire(taken)));
			try {
				call.run();
			}
			finally {
				AllocationFault.without(other.get(0)::close);
			}
		}

		/**
		 * Calls, and lets an allocation fail.
		 * @return whether there were so many
		 */
		private boolean failing(int number, FailingAllocation call) {
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
			this.fault = call + " " + number + ": " + place;
			if (Thread.interrupted()) {
				problem("interrupted");
			}
			if (LockContext.current().isPresent()) {
				problem("still under the lock");
			}
			return place != null;
		}

		private void problem(String what) {
			this.problems.add(what + ", " + this.fault);
		}

		Engines first() {
			return this.first;
		}

		Engines next() {
			return this.next;
		}

		/** Returns whether the engines have nothing left of the call. */
		boolean isOver() {
			return isForgotten() && isAnswered();
		}

		private boolean isForgotten() {
			return Stream.of(this.first, this.next).noneMatch((engines) -> engines.keeps(keys()));
		}

		private boolean isAnswered() {
			return this.awaited.stream().allMatch(CompletableFuture::isDone);
		}

		private List<String> keys() {
			return List.of(key(), lastKey());
		}

		private List<String> problems() {
			if (!isForgotten()) {
				problem("something is left");
			}
			for (Engines engines : List.of(this.first, this.next)) {
				for (String each : keys()) {
					Optional<LockHandle> lock = engines.elsewhere().tryAcquire(each);
					if (lock.isEmpty()) {
						problem("taken for ever");
					}
					lock.ifPresent(LockHandle::close);
				}
			}
			if (!isAnswered()) {
				problem("never completed");
			}
			if (Thread.interrupted()) {
				problem("interrupted later");
			}
			return this.problems;
		}

	}

}
