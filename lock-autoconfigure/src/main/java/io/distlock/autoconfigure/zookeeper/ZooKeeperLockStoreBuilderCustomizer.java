package io.distlock.autoconfigure.zookeeper;

import org.apache.curator.framework.CuratorFrameworkFactory;

import io.distlock.zookeeper.ZooKeeperLockStoreSettings;

/**
 * Changes the settings of stores on ZooKeeper after the properties were applied, for
 * instance the ACL. It can also change the clients that stores with a connect string
 * create, for instance their credentials. All beans of this type are called in their
 * order.
 */
@FunctionalInterface
public interface ZooKeeperLockStoreBuilderCustomizer {

	/**
	 * Changes the settings of a store.
	 * @param id id of the store under {@code distributed-lock.stores}, or {@code default}
	 * @param builder the settings that the properties result in
	 */
	void customize(String id, ZooKeeperLockStoreSettings.Builder builder);

	/**
	 * Changes the client that a store with a connect string creates. By default this
	 * method does nothing.
	 * @param id id of the store
	 * @param builder the client, with the connect string
	 */
	default void customizeClient(String id, CuratorFrameworkFactory.Builder builder) {
	}

}
