package io.distlock.autoconfigure.redis;

import java.util.List;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where the nodes of Redlock are. A bean of this type, for instance of a service
 * connection, wins over {@code distributed-lock.redlock.nodes}.
 */
@FunctionalInterface
public interface LockRedlockConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the addresses of the masters.
	 * @return an odd number of at least three, {@code host:port} or
	 * {@code redis(s)://user:password@host:port/database}
	 */
	List<String> getNodes();

}
