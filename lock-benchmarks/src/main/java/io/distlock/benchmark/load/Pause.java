package io.distlock.benchmark.load;

import java.util.concurrent.locks.LockSupport;

/** Work that takes time but no processor. */
public final class Pause {

	private Pause() {
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
