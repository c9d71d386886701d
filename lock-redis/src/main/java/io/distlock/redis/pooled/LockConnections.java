package io.distlock.redis.pooled;

import java.time.Duration;

import redis.clients.jedis.Connection;

/**
 * A connection factory on Jedis that only locks use, for one server. Commands of locks
 * need not use its pool.
 */
public interface LockConnections {

	/**
	 * Opens a connection that does not belong to the pool; blocks until it is ready, for
	 * no longer than the time to connect and the read timeout together.
	 * @param connectWithin how long to connect at most, at least 1 ms
	 * @return the connection, with user, database and read timeout of the factory
	 * @throws redis.clients.jedis.exceptions.JedisException if the server refused, or
	 * could not be reached
	 * @throws io.distlock.spi.TransientStoreException if it was not ready in time, the
	 * thread was interrupted, or connections are closed
	 */
	Connection open(Duration connectWithin);

	/**
	 * Returns how many connections commands may use at a time.
	 * @return the number
	 */
	int most();

	/**
	 * Returns how long a command may wait for a connection if that many are in use.
	 * @return at most as long as the client connects; a command that waited may connect
	 * in the rest of that time only
	 */
	Duration longestWait();

}
