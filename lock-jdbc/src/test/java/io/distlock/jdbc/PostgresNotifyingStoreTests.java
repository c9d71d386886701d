package io.distlock.jdbc;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.Tag;

/** A class of its own, so that it runs beside {@link PostgresNotificationsTests}. */
@Tag("ci")
class PostgresNotifyingStoreTests extends LockStoreContract {

	@Override
	protected LockStore newStore() {
		return new ListeningStore(
				new JdbcLockStore(TestDatabase.postgres("TRANSACTION_READ_COMMITTED"), TestDatabase.SETTINGS));
	}

}
