package io.distlock.redis.simulation;

/** What may go wrong. */
enum Fault {

	/** A command or an answer does not arrive. */
	LOST,

	/** A message of the server does not arrive. */
	LOST_MESSAGE,

	/** A command is executed again, or a message comes again, soon. */
	DOUBLED,

	/** The same, up to six seconds later. */
	DOUBLED_LATE,

	/** Takes longer than usual, some much longer than a lease. */
	SLOW,

	/** Does not keep the order of the connection. */
	OVERTAKEN,

	/** Another client publishes to the channel of a process. */
	FORGED,

	/** The client learns that the connection broke, whatever the server does. */
	BROKEN,

	/**
	 * An operator releases a lock by force; now and then the order is executed again,
	 * late.
	 */
	FORCED_RELEASE,

	/** A process dies; another one takes its place. */
	CRASH,

	/** A process stops, up to more than two leases; its clock goes on. */
	FREEZE,

	/** A process hears no messages for a while, and subscribes again. */
	DEAF,

	/** The server stops for a while. */
	STALL,

	/** The server forgets its scripts. */
	NO_SCRIPT,

	/** The server's clock jumps, up to four seconds in either direction. */
	CLOCK_STEP,

	/** The server's clock goes back 24 seconds. */
	BIG_STEP_BACK,

	/** A lock is deleted. */
	DELETED,

	/** The server starts again without its data. */
	EMPTIED,

	/** Another server becomes the master; it never got the last writes. */
	FAILOVER

}
