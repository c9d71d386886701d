package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;

class LettuceLockTemplateTests extends FairLockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.standalone(Client.LETTUCE), SharedServers.PATIENT);
	}

}
