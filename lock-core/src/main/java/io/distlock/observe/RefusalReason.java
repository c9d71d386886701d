package io.distlock.observe;

/** Says why an acquisition ended without the lock. */
public enum RefusalReason {

	/** Other owners held the lock for as long as the caller waited. */
	BUSY,

	/** Too many callers already wait for the lock in this process. */
	TOO_MANY_WAITERS,

	/** The store could not say whether the lock is free. */
	STORE_FAILURE,

	/** The waiting thread was interrupted. */
	INTERRUPTED,

	/** The caller completed its future in another way. */
	CANCELLED,

	/** The request cannot be granted, or the template shuts down. */
	REFUSED

}
