package io.distlock.autoconfigure.zookeeper;

import org.springframework.beans.factory.ListableBeanFactory;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;

/**
 * Makes stores on ZooKeeper.
 *
 * @param beans has the clients of the application
 * @param settings what all stores share
 */
record ZooKeeperLockStoreFactory(ListableBeanFactory beans, LockSettings settings) implements LockStoreFactory {

	@Override
	public StoreType type() {
		return StoreType.ZOOKEEPER;
	}

	@Override
	public CreatedStore create(String path, Store properties) {
		ZooKeeperLockStoreSettings own = LockZooKeeper.settings(properties.zookeeper(), this.settings);
		LockZooKeeper servers = LockZooKeeper.of(this.beans, path, properties.zookeeper());
		return new CreatedStore(servers.store(own),
				LockZooKeeper.check(servers.check(own), path, properties.zookeeper(), own));
	}

}
