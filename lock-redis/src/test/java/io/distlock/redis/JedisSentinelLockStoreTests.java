package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

class JedisSentinelLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.sentinel(Client.JEDIS), SharedServers.PATIENT);
	}

}
