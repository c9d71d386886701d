package io.distlock.redis.client;

import java.util.concurrent.Executor;

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
	 * The client connects with the first command. Replicas do not confirm its commands.
	 * @param settings how long to wait
	 * @return the client
	 */
	RedisClient openWithoutMessages(ClientSettings settings);

	/**
	 * Returns a source of connections on which to wait for replicas.
	 * @param settings how long to wait
	 * @param connector runs calls that open a connection and block
	 * @return an opener of connections
	 */
	ReplicaConnection.Opener replicaConnections(ClientSettings settings, Executor connector);

}
