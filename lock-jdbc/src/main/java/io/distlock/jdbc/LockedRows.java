package io.distlock.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Remembers rows that other transactions keep locked, for instance until a commit. The
 * store repeats a change of such a row after a pause. The pauses grow with the number of
 * such rows, so that enough connections remain for other locks.
 */
final class LockedRows {

	/**
	 * How many tries follow at once: two changes of a row often meet and end within
	 * milliseconds.
	 */
	private static final int TRIES_AT_ONCE = 2;

	private static final Duration SHORTLY = Duration.ofMillis(20);

	private static final Duration SHORT_PAUSE = Duration.ofMillis(3);

	private static final Duration PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private static final Duration MEMORY = Duration.ofSeconds(3);

	private final Map<String, Refusals> rows = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	LockedRows(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Counts that a row was locked.
	 * @return how long to wait before the next attempt
	 */
	Duration refused(String name) {
		long now = this.nanoTime.getAsLong();
		this.rows.values().removeIf((row) -> now - row.last > MEMORY.toNanos());
		Refusals refusals = this.rows.merge(name, new Refusals(1, now, now),
				(before, one) -> new Refusals(before.count + 1, before.first, now));
		if (refusals.count <= TRIES_AT_ONCE) {
			return Duration.ZERO;
		}
		if (now - refusals.first < SHORTLY.toNanos()) {
			return SHORT_PAUSE;
		}
		Duration pause = PAUSE.multipliedBy(this.rows.size());
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

	/** Returns for how long a row has been locked. */
	Duration since(String name) {
		Refusals refusals = this.rows.get(name);
		return (refusals != null) ? Duration.ofNanos(this.nanoTime.getAsLong() - refusals.first) : Duration.ZERO;
	}

	/** Returns whether a row was locked at the last attempt to change it. */
	boolean isRefused(String name) {
		return this.rows.containsKey(name);
	}

	/** Forgets a row that was not locked. */
	void answered(String name) {
		this.rows.remove(name);
	}

	private record Refusals(int count, long first, long last) {
	}

}
