package io.distlock.redlock;

import java.util.Objects;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * One of the servers of a {@link RedlockStore}: a master that shares nothing with the
 * others.
 *
 * @param name names it in messages, for instance {@code redis-1:6379}; no password
 * @param connectionFactory where its connections come from, one factory for each node
 */
public record RedlockNode(String name, RedisConnectionFactory connectionFactory) {

	/**
	 * Checks the values.
	 */
	public RedlockNode {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(connectionFactory, "'connectionFactory' must not be null");
	}

}
