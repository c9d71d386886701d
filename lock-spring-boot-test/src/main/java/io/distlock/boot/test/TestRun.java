package io.distlock.boot.test;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockRefused;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;

/** One run of one test method: what happened to its locks, and what it did to them. */
final class TestRun {

	final Thread thread = Thread.currentThread();

	final Queue<LockAcquired> acquired = new ConcurrentLinkedQueue<>();

	final Map<Object, LockAcquired> held = new ConcurrentHashMap<>();

	final Queue<LockRefused> refused = new ConcurrentLinkedQueue<>();

	final Queue<LockLoss> lost = new ConcurrentLinkedQueue<>();

	final Queue<LockHandle> busy = new ConcurrentLinkedQueue<>();

	final Queue<FaultyStore.Fault> faults = new ConcurrentLinkedQueue<>();

	/** Makes the locks free that the test made busy. */
	void closeBusy() {
		this.busy.forEach((handle) -> {
			try {
				handle.close();
			}
			catch (LockException ex) {
				// The test let it get lost.
			}
		});
	}

	/**
	 * Ends minimum holds that the test left. Of a key that another test uses too, one
	 * with a higher token is the other's.
	 */
	void endMinimumHolds(Collection<? extends LockStore> stores) {
		Map<String, Long> tokens = this.acquired.stream()
			.collect(Collectors.toMap(LockAcquired::key, LockAcquired::fencingToken, Math::max));
		try {
			stores.forEach((store) -> tokens.forEach((key, last) -> {
				Set<RequestId> kept = answer(store.inspect(key)).holds()
					.stream()
					.filter((hold) -> hold.request().isKept() && hold.fencingToken() <= last)
					.map(LockSnapshot.Hold::request)
					.collect(Collectors.toSet());
				if (!kept.isEmpty()) {
					answer(store.forceRelease(new ForceReleaseCommand(key, kept)));
				}
			}));
		}
		catch (CompletionException ex) {
			// The test may have stopped the server. A minimum hold ends by itself.
		}
	}

	private static <T> T answer(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(5, TimeUnit.SECONDS).join();
	}

	/** Waits for what another thread is about to report. */
	static boolean within(Duration time, BooleanSupplier condition) {
		long end = System.nanoTime() + time.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end > 0) {
				return false;
			}
			LockSupport.parkNanos(1_000_000);
		}
		return true;
	}

}
