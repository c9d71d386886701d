package io.distlock.internal.key;

/** Where a waiter waits. */
public interface WaitQueueOwner {

	/**
	 * Ends the waiting of a waiter whose time is over. It continues if the store still
	 * owes an answer.
	 * @param waiter the waiter
	 */
	void overdue(Waiter waiter);

	/**
	 * Removes a waiter that does not want the lock any more.
	 * @param waiter the waiter
	 * @return {@code false} if its outcome was decided before
	 */
	boolean cancel(Waiter waiter);

}
