package io.distlock.redlock;

import java.util.Objects;

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

}
