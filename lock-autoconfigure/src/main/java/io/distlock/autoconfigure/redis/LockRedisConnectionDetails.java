package io.distlock.autoconfigure.redis;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Tells where a separate Redis for locks is. A bean of this type, for instance of a
 * service connection, wins over {@code distributed-lock.redis.url}. If locks are in the
 * Redis of the application, no such bean is needed.
 */
@FunctionalInterface
public interface LockRedisConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the address of the server.
	 * @return {@code redis(s)://user:password@host:port/database}
	 */
	String getUrl();

}
