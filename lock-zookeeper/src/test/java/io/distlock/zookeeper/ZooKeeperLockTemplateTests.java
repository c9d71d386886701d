package io.distlock.zookeeper;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;

class ZooKeeperLockTemplateTests extends FairLockTemplateContract {

	@Override
	protected int cycles() {
		return 200;
	}

	@Override
	protected LockStore newStore() {
		return Servers.store(Servers.shared().address(), Servers.LONG_SESSION);
	}

}
