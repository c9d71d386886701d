package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import io.distlock.records.LockRecords;
import io.distlock.test.records.LockRecordsContract;
import org.junit.jupiter.api.Nested;

/** MySQL's driver, at the lower isolation level. */
@NeedsServer(command = "mariadbd", debianPackage = "mariadb-server-core")
class MySqlDriverTests {

	@Nested
	class Records extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.mariaDb("mysql", "TRANSACTION_READ_COMMITTED"),
					TestDatabase.SETTINGS);
		}

	}

}
