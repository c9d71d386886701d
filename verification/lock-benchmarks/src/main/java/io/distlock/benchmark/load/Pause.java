package io.distlock.benchmark.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Work that takes time but no processor. */
public final class Pause {

	private Pause() {
	}

	/**
	 * Lets others work: a measurement is as long as it is.
	 * @param millis how long
	 */
	public static void millis(long millis) {
		nanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/**
	 * Parks until the time has passed.
	 * @param nanos how long; nothing is done for zero
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

}
