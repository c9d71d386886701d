package io.distlock.spi;

/**
 * States how far the clocks of a store and of this machine may drift apart, which is 0.1
 * % of the time.
 */
public final class ClockDrift {

	private static final long PARTS = 1000;

	private ClockDrift() {
	}

	/**
	 * Returns how far two clocks may drift apart during some time.
	 * @param nanos the time, in nanoseconds
	 * @return the largest drift, in nanoseconds
	 */
	public static long of(long nanos) {
		return nanos / PARTS;
	}

}
