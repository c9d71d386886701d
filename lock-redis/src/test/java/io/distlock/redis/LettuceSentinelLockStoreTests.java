package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class LettuceSentinelLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.sentinel(Client.LETTUCE), SharedServers.PATIENT);
	}

}
