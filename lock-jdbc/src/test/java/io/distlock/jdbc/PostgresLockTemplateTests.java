package io.distlock.jdbc;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;

class PostgresLockTemplateTests extends FairLockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new JdbcLockStore(TestDatabase.postgres(), JdbcLockStoreSettings.DEFAULTS);
	}

}
