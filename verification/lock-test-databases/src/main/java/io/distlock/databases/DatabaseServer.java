package io.distlock.databases;

/**
 * A database server, which can have an asynchronous standby; that lacks the last commits
 * if it is cut off.
 */
public interface DatabaseServer extends AutoCloseable {

	/** Returns the port. */
	int port();

	/** Returns the address as a URL of JDBC. */
	String url();

	/**
	 * Starts an asynchronous standby of this server, which is started anew for the copy.
	 * @return the running standby
	 */
	DatabaseServer startStandby();

	/** Returns whether changes reach this standby. */
	boolean isFollowing();

	/** Lets no further change reach this standby; returns when none does. */
	void cutOff();

	/** Makes a standby a primary; returns when it is one. */
	void promote();

	/** Kills the process; what was committed is on the disk. */
	void kill();

	/** Starts the server again, with its data. */
	void restart();

	/**
	 * Sends a signal to the server and the processes that it has started.
	 * @param name for instance {@code STOP}
	 */
	void signal(String name);

	@Override
	void close();

}
