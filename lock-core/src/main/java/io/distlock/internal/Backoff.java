package io.distlock.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * When to repeat a command that failed: soon at first, then later and later, with full
 * jitter so that a fleet does not come back in step after an outage.
 */
final class Backoff {

	private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int DOUBLINGS = 5;

	private final DoubleSupplier random;

	private int failures;

	/**
	 * Creates it.
	 * @param random numbers from 0 to 1 for the jitter
	 */
	Backoff(DoubleSupplier random) {
		this.random = random;
	}

	long next() {
		long ceiling = FIRST_NANOS << Math.min(this.failures++, DOUBLINGS);
		return ceiling / 2 + (long) (ceiling / 2 * this.random.getAsDouble());
	}

	boolean first() {
		return this.failures == 0;
	}

	void reset() {
		this.failures = 0;
	}

}
