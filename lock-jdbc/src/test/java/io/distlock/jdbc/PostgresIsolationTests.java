package io.distlock.jdbc;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.Nested;

/** Isolation levels at which a lost race is an error. */
class PostgresIsolationTests {

	@Nested
	class SerializableStore extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.postgres("TRANSACTION_SERIALIZABLE"),
					JdbcLockStoreSettings.DEFAULTS.withNotifications(false));
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

}
