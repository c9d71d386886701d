package io.distlock;

/**
 * Says what an annotated method does when the store cannot grant its lock for another
 * reason than that it is held: after a {@link LockStoreException}, which is a missing
 * answer or a refusal such as a missing right, as each choice says.
 */
public enum OnStoreFailure {

	/** Take the default of the application, which is {@link #FAIL} unless configured. */
	DEFAULT,

	/** Throw {@link LockStoreException}; the body does not run. */
	FAIL,

	/**
	 * Run the body <strong>without the lock</strong>, perhaps at the same time as others,
	 * after a warning. Only for work that is better done twice than never.
	 */
	RUN_WITHOUT_LOCK

}
