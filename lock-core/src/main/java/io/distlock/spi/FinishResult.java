package io.distlock.spi;

/** What {@link LockStore#finish} ended. */
public enum FinishResult {

	/** A valid hold, which the store may keep for a while without an owner. */
	RELEASED,

	/** A hold whose lease had passed, though the lock was not granted again yet. */
	EXPIRED,

	/** A queued request that did not hold the lock. */
	WITHDRAWN,

	/**
	 * Nothing: the request was refused before, its hold expired and was replaced or
	 * cleared away, or the store lost it.
	 */
	UNKNOWN,

	/** Nothing any more: the hold was released by force before. */
	FORCED

}
