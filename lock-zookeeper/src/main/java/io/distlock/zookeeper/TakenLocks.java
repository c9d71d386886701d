package io.distlock.zookeeper;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Remembers from the writes of this process which locks other processes had a moment ago.
 * For such a lock, a write that expects a free lock would most likely be refused. A
 * refusal costs a transaction, so the record is read first.
 */
final class TakenLocks {

	/** The time of memory, longer than most holds of a lock that is in demand. */
	private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	static final int REMEMBERED = 1024;

	private final Map<String, Long> seen = new LinkedHashMap<>();

	private final LongSupplier nanoTime;

	TakenLocks(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Notes that another process has the lock. */
	synchronized void taken(String key) {
		this.seen.remove(key);
		this.seen.put(key, this.nanoTime.getAsLong());
		if (this.seen.size() > REMEMBERED) {
			this.seen.remove(this.seen.keySet().iterator().next());
		}
	}

	/** Notes that no other process has the lock. */
	synchronized void free(String key) {
		this.seen.remove(key);
	}

	/** Returns whether another process had the lock a moment ago. */
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
