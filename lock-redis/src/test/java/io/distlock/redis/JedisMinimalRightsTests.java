package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The whole contract, for a user with the documented rights and no others. */
@Execution(ExecutionMode.SAME_THREAD) // for a pool of usual size
class JedisMinimalRightsTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return MinimalRights.store(Client.JEDIS);
	}

}
