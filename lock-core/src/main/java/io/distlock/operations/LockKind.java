package io.distlock.operations;

import io.distlock.spi.Sharing;

/** Says how a lock is held. */
public enum LockKind {

	/** One owner holds the lock. */
	EXCLUSIVE,

	/** Any number of readers hold the lock. */
	SHARED,

	/** The owner holds one of several permits. */
	PERMIT;

	/**
	 * Returns the kind of a hold.
	 * @param sharing the other holds with which the hold may exist
	 * @return the kind
	 */
	public static LockKind of(Sharing sharing) {
		if (sharing instanceof Sharing.Permit) {
			return PERMIT;
		}
		return (sharing instanceof Sharing.Shared) ? SHARED : EXCLUSIVE;
	}

}
