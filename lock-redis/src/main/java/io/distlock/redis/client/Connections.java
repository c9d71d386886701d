package io.distlock.redis.client;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Takes connections from a factory that a test may have replaced. */
public final class Connections {

	private Connections() {
	}

	/**
	 * Takes a connection, as {@link RedisConnectionFactory#getConnection()} does.
	 * @param factory the factory
	 * @return a connection
	 * @throws IllegalStateException if the factory gives none, as a mock does
	 */
	@SuppressWarnings("ConstantValue")
	public static RedisConnection of(RedisConnectionFactory factory) {
		RedisConnection connection = factory.getConnection();
		if (connection == null) {
			throw none(factory);
		}
		return connection;
	}

	/**
	 * Creates the exception for a factory that connects to nothing.
	 * @param factory returned {@code null}
	 * @return the exception, which names the factory and the fix
	 */
	public static IllegalStateException none(RedisConnectionFactory factory) {
		return new IllegalStateException(factory.getClass().getName()
				+ " returned null instead of a connection, as a mock does. In a test use @AutoConfigureDistributedLocks "
				+ "beside the mock");
	}

}
