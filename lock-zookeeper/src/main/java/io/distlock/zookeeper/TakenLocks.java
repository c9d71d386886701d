package io.distlock.zookeeper;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Locks that other processes had a moment ago, by the writes of this process. A write
 * that takes one of them for free would most likely be refused, and a refusal costs a
 * transaction, so the record is read first.
 */
final class TakenLocks {

	/** Longer than most holds of a lock that is in demand. */
	private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	static final int REMEMBERED = 1024;

	private final Map<String, Long> seen = new LinkedHashMap<>();

	private final LongSupplier nanoTime;

	TakenLocks(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Another process has the lock. */
	synchronized void taken(String key) {
		this.seen.remove(key);
		this.seen.put(key, this.nanoTime.getAsLong());
		if (this.seen.size() > REMEMBERED) {
			this.seen.remove(this.seen.keySet().iterator().next());
		}
	}

	/** No other process has the lock. */
	synchronized void free(String key) {
		this.seen.remove(key);
	}

	/** Whether another process had the lock a moment ago. */
	synchronized boolean isTaken(String key) {
		Long since = this.seen.get(key);
		if (since == null) {
			return false;
		}
		boolean lately = this.nanoTime.getAsLong() - since < NANOS;
		if (!lately) {
			this.seen.remove(key);
		}
		return lately;
	}

}
