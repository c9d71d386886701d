package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How late renewals are sent. Zero on a healthy process; a process that is starved of CPU
 * or stops for garbage collection shows here before it loses locks.
 */
final class RenewalLag {

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

	private long windowEnds;

	private long before;

	private long longest;

	private boolean warned;

	RenewalLag(long now) {
		this.windowEnds = now + WINDOW_NANOS;
	}

	/**
	 * A renewal is being sent.
	 * @param due when it should have been
	 * @param now when it is
	 * @param lease the lease to renew
	 * @return whether it is so late that locks are in danger, and that was not said yet
	 */
	synchronized boolean sent(long due, long now, Lease lease) {
		roll(now);
		this.longest = Math.max(this.longest, now - due);
		boolean news = now - due > lease.nanos() / 6 && !this.warned;
		this.warned |= news;
		return news;
	}

	/** The longest delay of the current window and the one before. */
	synchronized Duration longest(long now) {
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
