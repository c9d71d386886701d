package io.distlock.spring.local;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts runs of a method that are worth a warning, one a minute at most. */
public final class LocalRuns {

	private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final LongAdder unreported = new LongAdder();

	private final String title;

	private final LongSupplier clock;

	private final AtomicLong quietUntil;

	/**
	 * Creates a counter.
	 * @param title names the method
	 * @param clock monotonic
	 */
	public LocalRuns(String title, LongSupplier clock) {
		this.title = title;
		this.clock = clock;
		this.quietUntil = new AtomicLong(clock.getAsLong());
	}

	/** Names the method. */
	public String title() {
		return this.title;
	}

	/**
	 * Counts a run.
	 * @return how many runs to log now, zero if it is too early
	 */
	public long next() {
		this.unreported.increment();
		long now = this.clock.getAsLong();
		long until = this.quietUntil.get();
		boolean logs = now - until >= 0 && this.quietUntil.compareAndSet(until, now + PAUSE_NANOS);
		return logs ? this.unreported.sumThenReset() : 0;
	}

}
