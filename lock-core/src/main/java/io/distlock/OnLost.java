package io.distlock;

/**
 * Says what happens to a running body when its lock is lost. The loss is reported in any
 * case: by {@link LockHandle#onLost}, by {@link LockHandle#ensureHeld()} and at the end
 * of the body by {@link LockLostException}.
 */
public enum OnLost {

	/**
	 * Take the default of the template's settings, which is {@link #REPORT} unless set.
	 */
	DEFAULT,

	/** Report the loss. The body goes on until it checks the lock or ends. */
	REPORT,

	/**
	 * Interrupt the thread that acquired the lock, once, unless the handle was closed
	 * before. If the body then ends with an {@link InterruptedException}, or with an
	 * exception caused by one, the caller gets a {@link LockLostException}. Closing the
	 * handle clears the interrupt flag that this interrupt has set. A flag that was set
	 * before stays set.
	 * <p>
	 * An interrupt closes the NIO channel in which the thread is blocked. Other threads
	 * may use this channel too, for instance a file channel of an embedded database. The
	 * loss of a lock that was acquired asynchronously, or through
	 * {@link LockTemplate#getLock(String)}, interrupts no thread. Instead, it cancels the
	 * body of {@link LockTemplate#executeAsync}, and the stage, publisher or coroutine
	 * that a {@link DistributedLock} method returns.
	 */
	INTERRUPT

}
