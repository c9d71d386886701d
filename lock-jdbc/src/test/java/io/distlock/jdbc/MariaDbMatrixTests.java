package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import io.distlock.records.LockRecords;
import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import io.distlock.test.LockStoreContract;
import io.distlock.test.records.LockRecordsContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The combinations of driver and isolation level that every build leaves out. */
@Tag("reliability")
@NeedsServer(command = "mariadbd", debianPackage = "mariadb-server-core")
class MariaDbMatrixTests {

	@Nested
	class CommittedRecords extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"),
					TestDatabase.SETTINGS);
		}

	}

	@Nested
	class CommittedStore extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"),
					TestDatabase.SETTINGS);
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

	@Nested
	class CommittedTemplate extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"),
					TestDatabase.SETTINGS);
		}

	}

	@Nested
	class MySqlRecords extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.mariaDb("mysql", "TRANSACTION_REPEATABLE_READ"),
					TestDatabase.SETTINGS);
		}

	}

	@Nested
	class MySqlStore extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mariaDb("mysql", "TRANSACTION_REPEATABLE_READ"),
					TestDatabase.SETTINGS);
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

	@Nested
	class MySqlTemplate extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mariaDb("mysql", "TRANSACTION_REPEATABLE_READ"),
					TestDatabase.SETTINGS);
		}

	}

	@Nested
	class MySqlCommittedTemplate extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mariaDb("mysql", "TRANSACTION_READ_COMMITTED"),
					TestDatabase.SETTINGS);
		}

	}

	@Nested
	class MySqlCommittedStore extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mariaDb("mysql", "TRANSACTION_READ_COMMITTED"),
					TestDatabase.SETTINGS);
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

}
