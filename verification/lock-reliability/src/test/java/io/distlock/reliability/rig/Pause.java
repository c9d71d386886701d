package io.distlock.reliability.rig;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Lets time pass, which is what a fault is made of. */
public final class Pause {

	private static final long GLANCE_NANOS = 1_000_000;

	private Pause() {
	}

	/** Returns when the time is over, not before. */
	public static void of(Duration time) {
		nanos(time.toNanos(), () -> false);
	}

	/**
	 * Returns when the time is over, or shortly after a condition became true.
	 * @return whether it did
	 */
	static boolean nanos(long nanos, BooleanSupplier enough) {
		long end = System.nanoTime() + nanos;
		for (long left = nanos; left > 0; left = end - System.nanoTime()) {
			if (enough.getAsBoolean()) {
				return true;
			}
			LockSupport.parkNanos(Math.min(left, GLANCE_NANOS));
		}
		return enough.getAsBoolean();
	}

}
