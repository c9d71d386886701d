package io.distlock.internal.time;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Says when to repeat a failed command: soon at first, then later and later. Jitter keeps
 * a fleet from returning in step after an outage.
 */
public final class Backoff {

	private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int DOUBLINGS = 5;

	private final DoubleSupplier random;

	private int failures;

	/**
	 * Creates a backoff without failures.
	 * @param random numbers from 0 to 1 for the jitter
	 */
	public Backoff(DoubleSupplier random) {
		this.random = random;
	}

	/**
	 * Counts a failure.
	 * @return how long to wait until the command is repeated, in nanoseconds
	 */
	public long next() {
		long ceiling = FIRST_NANOS << Math.min(this.failures++, DOUBLINGS);
		return ceiling / 2 + (long) (ceiling / 2 * this.random.getAsDouble());
	}

	/**
	 * Returns whether there was a failure since the last success.
	 * @return {@code true} if so
	 */
	public boolean failing() {
		return this.failures > 0;
	}

	/** Forgets all failures. */
	public void reset() {
		this.failures = 0;
	}

}
