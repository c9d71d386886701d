package io.distlock.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * When to repeat a command that failed: soon at first, then later and later, with full
 * jitter so that a fleet does not come back in step after an outage.
 */
final class Backoff {

	private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int DOUBLINGS = 5;

	private int failures;

	long next() {
		long ceiling = FIRST_NANOS << Math.min(this.failures++, DOUBLINGS);
		return ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2);
	}

	boolean first() {
		return this.failures == 0;
	}

	void reset() {
		this.failures = 0;
	}

}
