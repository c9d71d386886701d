package io.distlock.autoconfigure.redis;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where a Redis of the locks' own is. A bean of this type, for instance of a service
 * connection, wins over {@code distributed-lock.redis.url}. Locks in the application's
 * own Redis need none.
 */
@FunctionalInterface
public interface LockRedisConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the address of the server.
	 * @return {@code redis(s)://user:password@host:port/database}
	 */
	String getUrl();

}
