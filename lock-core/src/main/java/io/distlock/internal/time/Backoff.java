package io.distlock.internal.time;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Says when to repeat a failed command: soon at first, then after longer and longer
 * delays. Jitter prevents many processes from returning at the same moment after an
 * outage.
 *
 * @param random numbers from 0 to 1 for the jitter
 * @param failures how often the command failed since its last success
 */
public record Backoff(DoubleSupplier random, int failures) {

	private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int DOUBLINGS = 5;

	/**
	 * Creates a backoff without failures.
	 * @param random numbers from 0 to 1 for the jitter
	 */
	public Backoff(DoubleSupplier random) {
		this(random, 0);
	}

	/**
	 * Returns how long to wait until the command that has just failed is repeated.
	 * @return nanoseconds, with a new jitter at each call
	 */
	public long delay() {
		long ceiling = FIRST_NANOS << Math.min(this.failures, DOUBLINGS);
		return ceiling / 2 + (long) (ceiling / 2 * this.random.getAsDouble());
	}

	/**
	 * Counts a failure.
	 * @return the backoff of the next failure
	 */
	public Backoff next() {
		return new Backoff(this.random, this.failures + 1);
	}

	/**
	 * Returns whether there was a failure since the last success.
	 * @return {@code true} if so
	 */
	public boolean failing() {
		return this.failures > 0;
	}

	/**
	 * Forgets all failures.
	 * @return the backoff of the first failure
	 */
	public Backoff reset() {
		return failing() ? new Backoff(this.random) : this;
	}

}
