package io.distlock.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Lets one allocation fail, as if there were no memory at that moment. There is one for
 * all class loaders, so one test at a time may use it.
 */
public final class AllocationFault {

	private static volatile @Nullable Predicate<Thread> victim;

	private static final AtomicInteger left = new AtomicInteger();

	private static volatile @Nullable String failed;

	private AllocationFault() {
	}

	/**
	 * Lets an allocation of the calling thread fail.
	 * @param number which one from now on, from 1
	 */
	public static void arm(int number) {
		Thread caller = Thread.currentThread();
		arm(number, (thread) -> thread == caller);
	}

	/**
	 * Lets an allocation of some threads fail.
	 * @param number which one from now on, from 1
	 * @param threads which threads
	 */
	public static void arm(int number, Predicate<Thread> threads) {
		failed = null;
		left.set(number);
		victim = threads;
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
		Predicate<Thread> armed = victim;
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
		Predicate<Thread> threads = victim;
		if (threads != null && threads.test(Thread.currentThread()) && left.decrementAndGet() == 0) {
			victim = null;
			failed = place;
			throw new OutOfMemoryError("test: " + place);
		}
	}

}
