package io.distlock.jdbc;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class H2LockTemplateTests extends FairLockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new JdbcLockStore(TestDatabase.h2(), TestDatabase.SETTINGS);
	}

}
