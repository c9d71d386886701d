package io.distlock.autoconfigure.zookeeper;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where a ZooKeeper of the locks' own is. A bean of this type, for instance of a service
 * connection, wins over {@code distributed-lock.zookeeper.connect-string}.
 */
@FunctionalInterface
public interface LockZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the addresses of the servers.
	 * @return {@code host:port,host:port}, with a chroot or not
	 */
	String getConnectString();

}
