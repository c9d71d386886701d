package io.distlock;

/** Says when a release returns to its caller. */
public enum ReleaseMode {

	/**
	 * Returns when the store has confirmed the release. A loss that only the store knows
	 * of, for instance by a restart without its data, is thrown as
	 * {@link LockLostException}. It is not thrown if other callers wait for the lock in
	 * this process, because their request makes the answer ambiguous.
	 */
	CONFIRMED,

	/**
	 * Returns as soon as the command is on its way, which spares the caller a round trip.
	 * The engine awaits the confirmation in the background, and repeats the command until
	 * the confirmation comes or the lease is over. For a moment after the return, other
	 * processes still find the lock busy. A loss that only the store knows of is logged,
	 * not thrown. It is not even logged if this process asks for the lock again before
	 * the answer comes. A loss that a renewal or the local deadline has shown before the
	 * release is thrown as usual.
	 */
	SENT

}
