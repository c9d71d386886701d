package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.Tag;

/** The contract, for a user with the documented rights and no others. */
@Tag("ci")
class JedisLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return MinimalRights.store(Client.JEDIS);
	}

}
