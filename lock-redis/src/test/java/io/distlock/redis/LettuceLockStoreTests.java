package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

/** The contract, for a user with the documented rights and no others. */
class LettuceLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return MinimalRights.store(Client.LETTUCE);
	}

}
