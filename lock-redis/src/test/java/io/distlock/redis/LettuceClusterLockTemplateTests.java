package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;

class LettuceClusterLockTemplateTests extends FairLockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.cluster(Client.LETTUCE));
	}

}
