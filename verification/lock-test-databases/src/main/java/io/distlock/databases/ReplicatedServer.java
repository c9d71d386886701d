package io.distlock.databases;

/**
 * A server that can have an asynchronous standby, which lacks the last commits if it is
 * cut off.
 */
public interface ReplicatedServer extends AutoCloseable {

	/** Returns the port. */
	int port();

	/** Returns the address as a URL of JDBC. */
	String url();

	/**
	 * Starts an asynchronous standby of this server, which is started anew for the copy.
	 * @return the running standby
	 */
	ReplicatedServer startStandby();

	/** Returns whether changes reach this standby. */
	boolean isFollowing();

	/** Lets no further change reach this standby; returns when none does. */
	void cutOff();

	/** Makes a standby a primary; returns when it is one. */
	void promote();

	/** Kills the process; what was committed is on the disk. */
	void kill();

	@Override
	void close();

}
