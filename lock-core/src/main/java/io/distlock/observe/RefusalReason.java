package io.distlock.observe;

/** Why an acquisition ended without the lock. */
public enum RefusalReason {

	/** Others held it for as long as the caller waited. */
	BUSY,

	/** Too many callers wait for it in this process already. */
	TOO_MANY_WAITERS,

	/** The store could not say whether it is free. */
	STORE_FAILURE,

	/** The waiting thread was interrupted. */
	INTERRUPTED,

	/** The caller completed its future in another way. */
	CANCELLED,

	/** The request cannot be granted, or the template shuts down. */
	REFUSED

}
