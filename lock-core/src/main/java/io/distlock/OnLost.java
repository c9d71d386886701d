package io.distlock;

/**
 * What happens to a running body when its lock is lost. The loss is reported in any case:
 * by {@link LockHandle#onLost}, by {@link LockHandle#ensureHeld()} and at the end of the
 * body by {@link LockLostException}.
 */
public enum OnLost {

	/** Take the default: that of the template's settings, in those {@link #REPORT}. */
	DEFAULT,

	/** Report it; the body goes on until it looks, or ends. */
	REPORT,

	/**
	 * Interrupt the thread that acquired the lock, once, unless the handle was closed
	 * before. A body that ends with an {@link InterruptedException}, or with an exception
	 * caused by one, surfaces as {@link LockLostException}. The interrupt flag set by
	 * this is cleared when the handle is closed; one that was set before stays.
	 * <p>
	 * An interrupt closes the NIO channel the thread is blocked in, be it one that others
	 * use too, such as a file channel of an embedded database. It is never sent to the
	 * owner of a lock acquired asynchronously, nor through
	 * {@link LockTemplate#getLock(String)}. A {@link DistributedLock} method that returns
	 * a stage or a publisher, or is a Kotlin suspend function, has that cancelled
	 * instead.
	 */
	INTERRUPT

}
