package io.distlock.autoconfigure.redis;

import java.util.List;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Provides the addresses of the nodes of Redlock. A bean of this type, for instance of a
 * service connection, overrides {@code distributed-lock.redlock.nodes}.
 */
@FunctionalInterface
public interface LockRedlockConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the addresses of the masters.
	 * @return an odd number of addresses, at least three, as {@code host:port} or
	 * {@code redis(s)://user:password@host:port/database}
	 */
	List<String> getNodes();

}
