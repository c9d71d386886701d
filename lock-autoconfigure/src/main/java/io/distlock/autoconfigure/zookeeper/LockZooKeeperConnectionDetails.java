package io.distlock.autoconfigure.zookeeper;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Provides the addresses of a separate ZooKeeper for locks. A bean of this type, for
 * instance of a service connection, overrides
 * {@code distributed-lock.zookeeper.connect-string}.
 */
@FunctionalInterface
public interface LockZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the addresses of the servers.
	 * @return {@code host:port,host:port}, optionally with a chroot
	 */
	String getConnectString();

}
