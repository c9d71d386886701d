package io.distlock.internal;

import org.jspecify.annotations.Nullable;

/**
 * Lets one allocation fail, as if there were no memory at that moment. There is one for
 * all class loaders, so one test at a time may use it.
 */
public final class AllocationFault {

	private static volatile @Nullable Thread victim;

	private static volatile int left;

	private static volatile @Nullable String failed;

	private AllocationFault() {
	}

	/**
	 * Lets an allocation of the calling thread fail.
	 * @param number which one from now on, from 1
	 */
	public static void arm(int number) {
		failed = null;
		left = number;
		victim = Thread.currentThread();
	}

	/**
	 * Lets no allocation fail any more.
	 * @return the place that failed, or {@code null} if there were not so many
	 * allocations
	 */
	public static @Nullable String disarm() {
		victim = null;
		return failed;
	}

	/** Runs an action of which no allocation fails. */
	public static void without(Runnable action) {
		Thread armed = victim;
		victim = null;
		try {
			action.run();
		}
		finally {
			victim = armed;
		}
	}

	/**
	 * Called before each allocation.
	 * @param place where it is
	 */
	public static void allocates(String place) {
		if (Thread.currentThread() == victim && --left == 0) {
			victim = null;
			failed = place;
			throw new OutOfMemoryError("test: " + place);
		}
	}

}
