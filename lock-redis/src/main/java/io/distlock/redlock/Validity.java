package io.distlock.redlock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Whether a lease may still be relied on, counted from before the first command was sent.
 * The clocks of a node and of this machine may each be off by 0.1 %.
 */
final class Validity {

	private static final long DRIFT_PARTS = 500;

	private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private Validity() {
	}

	static boolean over(long sentAt, Duration lease, long now) {
		long nanos = lease.toNanos();
		return now - sentAt >= nanos - nanos / DRIFT_PARTS - MARGIN_NANOS;
	}

}
