package io.distlock.internal;

/** Where somebody waits. */
interface WaitingPlace {

	/**
	 * The waiter's time is over: busy, unless the store still owes an answer.
	 * @param waiter who
	 */
	void overdue(Waiter waiter);

	/**
	 * The waiter goes away.
	 * @param waiter who
	 * @return {@code false} if its outcome was decided before
	 */
	boolean cancel(Waiter waiter);

}
