package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

class JedisClusterLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.cluster(Client.JEDIS), SharedServers.PATIENT);
	}

}
