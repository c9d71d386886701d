package io.distlock;

/** Says when a release returns to its caller. */
public enum ReleaseMode {

	/**
	 * When the store has confirmed it. A loss that only the store knows of, such as one
	 * by a restart without its data, is thrown as {@link LockLostException}, unless
	 * others wait for the lock in this process: their request makes the answer ambiguous.
	 */
	CONFIRMED,

	/**
	 * As soon as the command is on its way, which spares the caller a round trip. The
	 * confirmation is awaited in the background, and the command repeated until it comes
	 * or the lease is over. For a moment after the return other processes still find the
	 * lock busy. A loss that only the store knows of is logged, not thrown; not even that
	 * if this process asks for the lock again before the answer comes. A loss found
	 * before the release, by a renewal or the local deadline, is thrown as ever.
	 */
	SENT

}
