package io.distlock;

/**
 * Says what happens to a running body when its lock is lost. The loss is reported in any
 * case: by {@link LockHandle#onLost}, by {@link LockHandle#ensureHeld()} and at the end
 * of the body by {@link LockLostException}.
 */
public enum OnLost {

	/** Take the default: that of the template's settings, in those {@link #REPORT}. */
	DEFAULT,

	/** Report the loss; the body goes on until it checks the lock, or ends. */
	REPORT,

	/**
	 * Interrupt the thread that acquired the lock, once, unless the handle was closed
	 * before. A body that ends with an {@link InterruptedException}, or with an exception
	 * caused by one, surfaces as {@link LockLostException}. The interrupt flag set by
	 * this is cleared when the handle is closed; one that was set before stays.
	 * <p>
	 * An interrupt closes the NIO channel the thread is blocked in, even one that other
	 * threads use too, such as a file channel of an embedded database. A lock acquired
	 * asynchronously or through {@link LockTemplate#getLock(String)} interrupts no
	 * thread. Instead, the body of {@link LockTemplate#executeAsync} is cancelled, and
	 * the stage, publisher or coroutine that a {@link DistributedLock} method returns.
	 */
	INTERRUPT

}
