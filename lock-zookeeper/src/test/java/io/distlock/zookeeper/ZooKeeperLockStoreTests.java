package io.distlock.zookeeper;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

class ZooKeeperLockStoreTests extends LockStoreContract {

	@Override
	protected boolean claimsGrants() {
		return false;
	}

	@Override
	protected LockStore newStore() {
		return Servers.store(Servers.shared().address(), Servers.LONG_SESSION);
	}

}
