package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

class JedisLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.standalone(Client.JEDIS), SharedServers.PATIENT);
	}

}
