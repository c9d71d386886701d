package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

class LettuceLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.standalone(Client.LETTUCE), SharedServers.PATIENT);
	}

}
