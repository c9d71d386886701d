package io.distlock.jdbc;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

class H2LockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return new JdbcLockStore(TestDatabase.h2(), TestDatabase.SETTINGS);
	}

	@Override
	protected boolean notifies() {
		return false;
	}

}
