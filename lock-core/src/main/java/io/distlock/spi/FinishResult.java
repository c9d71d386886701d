package io.distlock.spi;

/** Says what {@link LockStore#finish} ended. */
public enum FinishResult {

	/** A valid hold, which the store may keep for a while without an owner. */
	RELEASED,

	/** A hold whose lease had ended, although the lock was not granted again yet. */
	EXPIRED,

	/** A queued request that did not hold the lock. */
	WITHDRAWN,

	/**
	 * Nothing. The request was refused before, its hold expired and was replaced or
	 * cleared away, or the store lost it.
	 */
	UNKNOWN,

	/** Nothing, because the hold was released by force before. */
	FORCED

}
