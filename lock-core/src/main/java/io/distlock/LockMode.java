package io.distlock;

/** Says whether several owners may hold a lock at the same time. */
public enum LockMode {

	/** Allows one owner. */
	EXCLUSIVE,

	/**
	 * Allows any number of shared owners, but no exclusive owner. A waiting exclusive
	 * request blocks shared requests that arrive later.
	 */
	SHARED

}
