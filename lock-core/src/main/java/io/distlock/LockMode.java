package io.distlock;

/** Who may hold a lock at the same time. */
public enum LockMode {

	/** One owner alone. */
	EXCLUSIVE,

	/**
	 * Any number of owners that all ask for it shared, and nobody who asks for it
	 * exclusively. One who waits for it exclusively lets no later one in before.
	 */
	SHARED

}
