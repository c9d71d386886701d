package io.distlock.internal.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.spi.ClockDrift;

/**
 * Computes until when a hold is valid by this machine's monotonic clock. The validity
 * counts from a moment before the request was sent, so time on the wire and in the server
 * shortens it. A drift of 0.1 % and 2 ms are subtracted, so the validity ends here before
 * the lease ends in the store.
 */
public final class LocalDeadline {

	/** A time that is longer than any lease, yet far from overflow. */
	public static final long FOREVER_NANOS = Long.MAX_VALUE / 4;

	private static final Duration FOREVER = Duration.ofNanos(FOREVER_NANOS);

	private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private LocalDeadline() {
	}

	/**
	 * Returns the deadline of a lease.
	 * @param sentAt when the command was sent, by the monotonic clock
	 * @param remainingMillis what was left of the lease when the store answered
	 * @return a moment of the monotonic clock
	 */
	public static long after(long sentAt, long remainingMillis) {
		long nanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, remainingMillis));
		return sentAt + nanos - ClockDrift.of(nanos) - MARGIN_NANOS;
	}

	/**
	 * Returns a wait time in nanoseconds that can be added to a moment.
	 * @param wait the wait time
	 * @return nanoseconds, from zero to {@link #FOREVER_NANOS}
	 */
	public static long nanos(Duration wait) {
		if (wait.isNegative()) {
			return 0;
		}
		return (wait.compareTo(FOREVER) > 0) ? FOREVER_NANOS : wait.toNanos();
	}

	/**
	 * Returns the earlier of two moments of the monotonic clock, which may wrap around.
	 * @param one a moment
	 * @param other a moment
	 * @return one of them
	 */
	public static long earlier(long one, long other) {
		return (one - other < 0) ? one : other;
	}

}
