package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Until when a hold may be believed in, by this machine's monotonic clock. Counted from
 * before the request was sent, so that the time on the wire and in the server is ours to
 * lose; less a drift of 0.1 % and 2 ms, so that the belief ends before the lease does in
 * the store.
 */
final class LocalDeadline {

	/** Later than any deadline, yet far from overflow. */
	static final long FOREVER_NANOS = Long.MAX_VALUE / 4;

	private static final Duration FOREVER = Duration.ofNanos(FOREVER_NANOS);

	private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private static final long DRIFT_PARTS = 1000;

	private LocalDeadline() {
	}

	static long after(long sentAt, long remainingMillis) {
		long nanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, remainingMillis));
		return sentAt + nanos - nanos / DRIFT_PARTS - MARGIN_NANOS;
	}

	/** A wait time; longer than for ever is for ever. */
	static long nanos(Duration wait) {
		return (wait.compareTo(FOREVER) > 0) ? FOREVER_NANOS : wait.toNanos();
	}

	/** The earlier of two moments of the monotonic clock, which may wrap around. */
	static long earlier(long one, long other) {
		return (one - other < 0) ? one : other;
	}

}
