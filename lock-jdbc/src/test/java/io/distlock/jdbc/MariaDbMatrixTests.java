package io.distlock.jdbc;

import io.distlock.databases.NeedsMariaDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The combinations of driver and isolation level that every build leaves out. */
@Tag("reliability")
@NeedsMariaDb
class MariaDbMatrixTests {

	@Nested
	class Committed extends DatabaseContracts.All {

		Committed() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class OfMySql extends DatabaseContracts.All {

		OfMySql() {
			super(() -> TestDatabase.mariaDb("mysql", "TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class OfMySqlCommitted extends DatabaseContracts.All {

		OfMySqlCommitted() {
			super(() -> TestDatabase.mariaDb("mysql", "TRANSACTION_READ_COMMITTED"));
		}

	}

}
