package io.distlock.redlock;

import java.util.List;
import java.util.Objects;

import io.distlock.redis.RedisConnections;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A server of a {@link RedlockStore}: a master that shares nothing with the other nodes.
 *
 * @param name its name in messages, for instance {@code redis-1:6379}, without password
 * @param connectionFactory its connection factory, a different one for each node
 */
public record RedlockNode(String name, RedisConnectionFactory connectionFactory) {

	/**
	 * Checks that both values are set.
	 * @param name the name in messages
	 * @param connectionFactory the connection factory
	 */
	public RedlockNode {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(connectionFactory, "'connectionFactory' must not be null");
	}

	/**
	 * Makes a node of each server.
	 * @param connections connections to the servers, which belong to the caller
	 * @return the nodes, named by host and port
	 */
	public static List<RedlockNode> of(RedisConnections connections) {
		return connections.servers()
			.stream()
			.map((server) -> new RedlockNode(server.name(), server.factory()))
			.toList();
	}

}
