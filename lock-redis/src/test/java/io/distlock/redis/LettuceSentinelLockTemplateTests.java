package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;

class LettuceSentinelLockTemplateTests extends FairLockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.sentinel(Client.LETTUCE));
	}

}
