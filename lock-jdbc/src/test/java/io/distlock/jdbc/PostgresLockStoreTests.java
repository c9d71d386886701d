package io.distlock.jdbc;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

class PostgresLockStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return new JdbcLockStore(TestDatabase.postgres(), TestDatabase.SETTINGS);
	}

	@Override
	protected boolean notifies() {
		return false;
	}

}
