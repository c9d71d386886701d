package io.distlock.redis.optimistic;

import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Connections of which each keeps to one socket: what is watched on it stays watched, or
 * the next command fails.
 */
interface Connections extends PersistenceExceptionTranslator, AutoCloseable {

	/** The end of the message that refuses a Cluster. */
	String NO_CLUSTER = "its keys cannot be watched through Spring Data Redis. Take a lock, or do it in a script";

	/**
	 * Returns a connection that nobody else uses.
	 * @return a connection, perhaps one that the server has closed meanwhile
	 */
	RedisConnection take();

	/**
	 * Returns a connection that is new.
	 * @return a connection
	 */
	RedisConnection open();

	/**
	 * Takes back a connection that watches nothing and collects no commands.
	 * @param connection the connection
	 */
	void giveBack(RedisConnection connection);

	@Override
	void close();

}
