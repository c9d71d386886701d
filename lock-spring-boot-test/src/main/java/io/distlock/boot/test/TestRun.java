package io.distlock.boot.test;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockRefused;

/** One run of one test method: what happened to its locks, and what it did to them. */
final class TestRun {

	final Thread thread = Thread.currentThread();

	/**
	 * A test that waits below this one on the same thread, as in a pool that steals work.
	 */
	final @Nullable TestRun outer;

	final Queue<LockAcquired> acquired = new ConcurrentLinkedQueue<>();

	final Map<Object, LockAcquired> held = new ConcurrentHashMap<>();

	final Queue<LockRefused> refused = new ConcurrentLinkedQueue<>();

	final Queue<LockLoss> lost = new ConcurrentLinkedQueue<>();

	final Queue<LockHandle> busy = new ConcurrentLinkedQueue<>();

	final Queue<FaultyStore.Fault> faults = new ConcurrentLinkedQueue<>();

	TestRun(@Nullable TestRun outer) {
		this.outer = outer;
	}

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

	/** Returns the highest token that the test had of each lock. */
	Map<String, Long> tokens() {
		return this.acquired.stream()
			.collect(Collectors.toMap(LockAcquired::key, LockAcquired::fencingToken, Math::max));
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
