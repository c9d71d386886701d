package io.distlock.test;

import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;

class InMemoryLockTemplateTests extends FairLockTemplateContract {

	private final InMemoryLockServer server = new InMemoryLockServer();

	@Override
	protected LockStore newStore() {
		return new InMemoryLockStore(this.server);
	}

}
