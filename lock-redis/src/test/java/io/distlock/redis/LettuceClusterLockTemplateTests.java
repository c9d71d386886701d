package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockTemplateContract;

class LettuceClusterLockTemplateTests extends LockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.cluster(Client.LETTUCE));
	}

}
