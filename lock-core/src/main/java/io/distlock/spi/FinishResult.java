package io.distlock.spi;

/** What {@link LockStore#finish} ended. */
public enum FinishResult {

	/** A valid hold. */
	RELEASED,

	/** A hold whose lease had passed, though nobody had taken the lock yet. */
	EXPIRED,

	/** A queued request that did not hold the lock. */
	WITHDRAWN,

	/**
	 * Nothing: the request was refused before, its hold expired and was taken or cleared
	 * away, or the store lost it.
	 */
	UNKNOWN

}
