package io.distlock.lab.strategy;

import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/**
 * A caller that wants an item, and writes down what happens. One thread at a time.
 */
public interface Customer {

	/**
	 * Names this caller.
	 * @return a text that no other caller has
	 */
	String name();

	/**
	 * Buys an item as business code does that has more to check than one number: reads
	 * how many are left, works, and writes one less. Two at a time sell an item twice.
	 * @return {@code false} if nothing is left
	 */
	default boolean buy() {
		return buy(() -> {
		});
	}

	/**
	 * Buys an item like {@link #buy()}, with a check between the work and the write.
	 * @param check throws an exception if the write must not happen
	 * @return {@code false} if nothing is left
	 */
	boolean buy(Runnable check);

	/**
	 * Buys an item like {@link #buy()}, and lets the shelf refuse the write if a later
	 * holder of the lock has read or written. A fence that only looks at writes is too
	 * late for a holder that has read already.
	 * @param token the fencing token of the lock
	 * @return {@code false} if nothing is left
	 */
	boolean buyFenced(long token);

	/**
	 * Buys an item like {@link #buy()} from a shelf of the strategy's own.
	 * @param left how many are left
	 * @param write stores how many are left
	 * @return {@code false} if nothing is left
	 */
	boolean buyFrom(int left, IntConsumer write);

	/**
	 * Buys an item in one step of a server, inside a section that several may be in.
	 * @param step takes an item and returns how many were there before, 0 or less if
	 * there was none
	 * @return {@code false} if nothing was left
	 */
	boolean buyInOneStep(IntSupplier step);

	/**
	 * Writes down that an item is sold. For strategies that do not use the shelf.
	 * @param item its number
	 */
	void sold(int item);

	/** Works, which takes the time inside; the fault of a run may hit here. */
	void work();

	/**
	 * Does nothing; marks the place between two commands where the fault of the run hits
	 * instead of {@link #work()}.
	 */
	void between();

	/** Writes down that the lock was busy, and waits a little before the next attempt. */
	void retry();

	/** Writes down that the lock was busy, and does not wait. */
	void retryAtOnce();

	/** Writes down that another customer was faster. */
	void conflict();

	/**
	 * Throws an exception if the run is over, so that a loop of a strategy ends.
	 */
	void checkOpen();

}
