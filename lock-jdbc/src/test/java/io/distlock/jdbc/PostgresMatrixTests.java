package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import io.distlock.records.LockRecords;
import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import io.distlock.test.LockStoreContract;
import io.distlock.test.records.LockRecordsContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The combinations of pooler and isolation level that every build leaves out. */
@Tag("reliability")
@NeedsServer(command = "pgbouncer", debianPackage = "pgbouncer")
class PostgresMatrixTests {

	@Nested
	class RepeatableReadRecords extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.postgres("TRANSACTION_REPEATABLE_READ"), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class RepeatableReadTemplate extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.postgres("TRANSACTION_REPEATABLE_READ"), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class SerializableTemplate extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.postgres("TRANSACTION_SERIALIZABLE"), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class PgBouncerTemplate extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.pgBouncer(), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class PgBouncerRecords extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.pgBouncer(), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class RepeatableReadStore extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.postgres("TRANSACTION_REPEATABLE_READ"),
					TestDatabase.SETTINGS.withNotifications(false));
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

	@Nested
	class SerializableRecords extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.postgres("TRANSACTION_SERIALIZABLE"), TestDatabase.SETTINGS);
		}

	}

}
