package io.distlock;

/**
 * Says what an annotated method does after a {@link LockStoreException}. The store did
 * not answer, or it refused the command, for instance because of a missing right. A busy
 * lock is another case: see {@link OnBusy}.
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
