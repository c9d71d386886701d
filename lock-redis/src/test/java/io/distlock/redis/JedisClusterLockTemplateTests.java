package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockTemplateContract;

class JedisClusterLockTemplateTests extends LockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.cluster(Client.JEDIS));
	}

}
