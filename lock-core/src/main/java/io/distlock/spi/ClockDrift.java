package io.distlock.spi;

/**
 * States how inaccurate a clock may be: it may run 0.1 % fast or slow. A comparison of
 * times of two clocks must allow for the drift of both.
 */
public final class ClockDrift {

	private static final long PARTS = 1000;

	private ClockDrift() {
	}

	/**
	 * Returns by how much a clock may be off after a time.
	 * @param nanos the time, in nanoseconds
	 * @return the largest drift, in nanoseconds
	 */
	public static long of(long nanos) {
		return nanos / PARTS;
	}

}
