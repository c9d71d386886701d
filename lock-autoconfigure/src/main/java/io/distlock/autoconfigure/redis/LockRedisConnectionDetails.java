package io.distlock.autoconfigure.redis;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Provides the address of a separate Redis for locks. A bean of this type, for instance
 * of a service connection, overrides {@code distributed-lock.redis.url}. Locks in the
 * Redis of the application need no such bean.
 */
@FunctionalInterface
public interface LockRedisConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the address of the server.
	 * @return {@code redis(s)://user:password@host:port/database}
	 */
	String getUrl();

}
