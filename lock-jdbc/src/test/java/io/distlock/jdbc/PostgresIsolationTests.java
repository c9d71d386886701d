package io.distlock.jdbc;

import io.distlock.spi.LockStore;
import io.distlock.test.CallingStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.Nested;

/** The isolation level at which a lost race is an error, on the threads of callers. */
class PostgresIsolationTests {

	@Nested
	class SerializableStore extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new CallingStore(new JdbcLockStore(TestDatabase.postgres("TRANSACTION_SERIALIZABLE"),
					TestDatabase.SETTINGS.withNotifications(false)));
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

}
