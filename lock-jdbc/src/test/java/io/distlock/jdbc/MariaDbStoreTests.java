package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import io.distlock.records.LockRecords;
import io.distlock.spi.LockStore;
import io.distlock.test.CallingStore;
import io.distlock.test.LockStoreContract;
import io.distlock.test.records.LockRecordsContract;
import org.junit.jupiter.api.Nested;

/** MariaDB's own driver, at the server's usual isolation level. */
@NeedsServer(command = "mariadbd", debianPackage = "mariadb-server-core")
class MariaDbStoreTests {

	@Nested
	class Records extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"),
					TestDatabase.SETTINGS);
		}

	}

	@Nested
	class Store extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new CallingStore(new JdbcLockStore(TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"),
					TestDatabase.SETTINGS));
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

}
