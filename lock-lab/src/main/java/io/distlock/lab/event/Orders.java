package io.distlock.lab.event;

/**
 * What the director writes to a node, each a text; {@link #RUN} is followed by another.
 */
public final class Orders {

	/** Prepare a run; the next text has its properties. */
	public static final String RUN = "run";

	/** Begin to sell. */
	public static final String START = "start";

	/** Hold the next caller at the place of the fault. */
	public static final String TRAP = "trap";

	/**
	 * Hold the next caller right after it came in, wherever the place of the fault is.
	 */
	public static final String TRAP_AT_ENTRY = "trap at entry";

	/** Hold the next caller while it works, wherever the place of the fault is. */
	public static final String TRAP_AT_WORK = "trap at work";

	/** Let the held caller go on. */
	public static final String RELEASE = "release";

	/** End the run. */
	public static final String STOP = "stop";

	private Orders() {
	}

}
