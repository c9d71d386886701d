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

	private Window window;

	/**
	 * Creates a measurement.
	 * @param now the monotonic clock
	 */
	public RenewalLag(long now) {
		this.window = new Window(now + WINDOW_NANOS, 0, 0, false);
	}

	/**
	 * Records that a renewal is sent.
	 * @param due when it was due
	 * @param now the monotonic clock
	 * @param term the lease to renew
	 * @return whether it is so late that locks are in danger, once per window
	 */
	public synchronized boolean sent(long due, long now, LeaseTerm term) {
		Window present = this.window.at(now);
		boolean news = now - due > term.nanos() / 6 && !present.warned();
		this.window = present.with(now - due, news);
		return news;
	}

	/**
	 * Returns the longest delay of the current window and the one before.
	 * @param now the monotonic clock
	 * @return the delay
	 */
	public synchronized Duration longest(long now) {
		this.window = this.window.at(now);
		return Duration.ofNanos(Math.max(this.window.before(), this.window.longest()));
	}

	/** A window, with the longest delay of the one before and of this one. */
	private record Window(long ends, long before, long longest, boolean warned) {

		/** Returns this window, or the one that has followed it. */
		Window at(long now) {
			long past = now - this.ends;
			return (past < 0) ? this
					: new Window(now + WINDOW_NANOS, (past < WINDOW_NANOS) ? this.longest : 0, 0, false);
		}

		Window with(long delay, boolean news) {
			return (delay <= this.longest && !news) ? this
					: new Window(this.ends, this.before, Math.max(this.longest, delay), this.warned || news);
		}

	}

}
