package io.distlock.operations;

import io.distlock.spi.Sharing;

/** How a lock is held. */
public enum LockKind {

	/** By one owner. */
	EXCLUSIVE,

	/** By any number of readers. */
	SHARED,

	/** One of several permits. */
	PERMIT;

	/**
	 * Returns the kind of a hold.
	 * @param sharing with which other holds it may exist
	 * @return the kind
	 */
	public static LockKind of(Sharing sharing) {
		if (sharing instanceof Sharing.Permit) {
			return PERMIT;
		}
		return (sharing instanceof Sharing.Shared) ? SHARED : EXCLUSIVE;
	}

}
