package io.distlock.redis.client;

import io.distlock.redis.protocol.GrantMessages;

/** Opens clients for the servers of a connection factory. */
public interface ClientFactory {

	/**
	 * Returns whether the servers are a Cluster; sends no command.
	 * @return {@code true} for a Cluster
	 */
	boolean isCluster();

	/**
	 * Opens a client that receives messages; connects in the background.
	 * @param settings how long to wait
	 * @param channel the channel to subscribe to
	 * @param messages receives the messages
	 * @return the client
	 */
	RedisClient open(ClientSettings settings, String channel, GrantMessages messages);

	/**
	 * Opens a client for requests that do not queue and therefore wait for no message.
	 * The client connects with the first command.
	 * @param settings how long to wait
	 * @return the client
	 */
	RedisClient openWithoutMessages(ClientSettings settings);

	/**
	 * Connects for the startup check. It blocks until connected, and throws what the
	 * client reports.
	 * @param settings how long scripts may wait for a connection
	 * @return the connections
	 */
	CheckClient openCheck(ClientSettings settings);

}
