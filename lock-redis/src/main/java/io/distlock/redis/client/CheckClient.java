package io.distlock.redis.client;

import io.distlock.redis.protocol.RedisCommands;

/** The connections with which the startup check asks a server. */
public interface CheckClient extends AutoCloseable {

	/**
	 * Returns whether the server is a node of a Cluster.
	 * @return {@code true} for a Cluster
	 */
	boolean isCluster();

	/**
	 * Returns the commands outside of scripts.
	 * @return the commands
	 */
	ServerCommands commands();

	/**
	 * Returns the scripts, which go the way that locks take.
	 * @return the commands that run scripts
	 */
	RedisCommands scripts();

	/** Closes the connections; may wait briefly until they are closed. */
	@Override
	void close();

}
