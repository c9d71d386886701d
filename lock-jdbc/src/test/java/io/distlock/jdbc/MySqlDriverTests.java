package io.distlock.jdbc;

import io.distlock.databases.NeedsMariaDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** MySQL's driver, at the lower isolation level. */
@NeedsMariaDb
@Tag("ci")
class MySqlDriverTests {

	@Nested
	class Records extends DatabaseContracts.Records {

		Records() {
			super(() -> TestDatabase.mariaDb("mysql", "TRANSACTION_READ_COMMITTED"));
		}

	}

}
