package io.distlock.jdbc;

import io.distlock.databases.NeedsMariaDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** MariaDB's own driver, at the server's usual isolation level. */
@NeedsMariaDb
@Tag("ci")
class MariaDbStoreTests {

	@Nested
	class Records extends DatabaseContracts.Records {

		Records() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class Store extends DatabaseContracts.StoreOfCallers {

		Store() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"));
		}

	}

}
