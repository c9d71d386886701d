package io.distlock.redlock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.spi.ClockDrift;

/**
 * Decides whether a lease can still be relied on, counted from before the first command
 * was sent. It allows for twice the drift of two clocks, because a quorum has several
 * clocks.
 */
final class Validity {

	private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private Validity() {
	}

	static boolean isOver(long sentAt, Duration lease, long now) {
		long nanos = lease.toNanos();
		return now - sentAt >= nanos - 2 * ClockDrift.of(nanos) - MARGIN_NANOS;
	}

}
