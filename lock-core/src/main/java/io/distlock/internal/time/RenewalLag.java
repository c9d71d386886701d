package io.distlock.internal.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Measures how late renewals are sent. The delay is zero in a healthy process. It grows
 * in a process that gets too little CPU or stops for garbage collection, before that
 * process loses locks.
 */
public final class RenewalLag {

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

	private long windowEnds;

	private long before;

	private long longest;

	private boolean warned;

	/**
	 * Creates a measurement.
	 * @param now the monotonic clock
	 */
	public RenewalLag(long now) {
		this.windowEnds = now + WINDOW_NANOS;
	}

	/**
	 * Records that a renewal is sent.
	 * @param due when it was due
	 * @param now the monotonic clock
	 * @param term the lease to renew
	 * @return whether it is so late that locks are in danger, once per window
	 */
	public synchronized boolean sent(long due, long now, LeaseTerm term) {
		roll(now);
		this.longest = Math.max(this.longest, now - due);
		boolean news = now - due > term.nanos() / 6 && !this.warned;
		this.warned |= news;
		return news;
	}

	/**
	 * Returns the longest delay of the current window and the one before.
	 * @param now the monotonic clock
	 * @return the delay
	 */
	public synchronized Duration longest(long now) {
		roll(now);
		return Duration.ofNanos(Math.max(this.before, this.longest));
	}

	private void roll(long now) {
		long past = now - this.windowEnds;
		if (past >= 0) {
			this.before = (past < WINDOW_NANOS) ? this.longest : 0;
			this.longest = 0;
			this.warned = false;
			this.windowEnds = now + WINDOW_NANOS;
		}
	}

}
