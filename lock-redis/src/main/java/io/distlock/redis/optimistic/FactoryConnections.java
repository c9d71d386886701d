package io.distlock.redis.optimistic;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Connections of the application's pool, for Jedis: a connection whose socket broke
 * throws with each further command.
 */
final class FactoryConnections implements Connections {

	private final RedisConnectionFactory factory;

	FactoryConnections(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Override
	public RedisConnection take() {
		return open();
	}

	@Override
	public RedisConnection open() {
		RedisConnection connection = this.factory.getConnection();
		if (connection instanceof RedisClusterConnection) {
			connection.close();
			throw new IllegalArgumentException("The connection factory is one of a Redis Cluster: " + NO_CLUSTER);
		}
		return connection;
	}

	@Override
	public void giveBack(RedisConnection connection) {
		connection.close();
	}

	@Override
	public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException ex) {
		return this.factory.translateExceptionIfPossible(ex);
	}

	@Override
	public void close() {
		// The pool is the application's.
	}

}
