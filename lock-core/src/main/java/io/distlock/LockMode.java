package io.distlock;

/** Says whether several owners may hold a lock at the same time. */
public enum LockMode {

	/** One owner alone. */
	EXCLUSIVE,

	/**
	 * Any number of owners that all ask for it shared, and no exclusive owner. A waiting
	 * request for exclusive mode blocks shared requests that arrive later.
	 */
	SHARED

}
