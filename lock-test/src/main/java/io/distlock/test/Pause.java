package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets real time pass where a test needs the time itself. Examples are a fault that
 * lasts, the order in which two threads must start, and a proof that nothing happens. All
 * other tests wait for a condition. A pause does not react to interrupts.
 */
public final class Pause {

	private static final long GLANCE_NANOS = 1_000_000;

	private Pause() {
	}

	/**
	 * Returns when the time is over, and not earlier.
	 * @param time how long
	 */
	public static void of(Duration time) {
		nanos(time.toNanos());
	}

	/**
	 * Returns when the time is over, and not earlier.
	 * @param nanos how long, in nanoseconds; returns at once for zero
	 */
	public static void nanos(long nanos) {
		if (nanos == 0) {
			return;
		}
		long begun = System.nanoTime();
		for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - begun)) {
			LockSupport.parkNanos(left);
		}
	}

	/**
	 * Returns when the time is over, or within about a millisecond after a condition
	 * became true.
	 * @param time how long to wait at most
	 * @param enough the condition
	 * @return whether the condition became true
	 */
	public static boolean atMost(Duration time, BooleanSupplier enough) {
		long end = System.nanoTime() + time.toNanos();
		for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
			if (enough.getAsBoolean()) {
				return true;
			}
			LockSupport.parkNanos(Math.min(left, GLANCE_NANOS));
		}
		return enough.getAsBoolean();
	}

}
