package io.distlock.jdbc;

import io.distlock.databases.NeedsMariaDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The combinations of driver and isolation level that every build leaves out. */
@Tag("reliability")
@NeedsMariaDb
class MariaDbMatrixTests {

	@Nested
	class CommittedRecords extends DatabaseContracts.Records {

		CommittedRecords() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class CommittedStore extends DatabaseContracts.Store {

		CommittedStore() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class CommittedTemplate extends DatabaseContracts.Template {

		CommittedTemplate() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class MySqlRecords extends DatabaseContracts.Records {

		MySqlRecords() {
			super(() -> TestDatabase.mariaDb("mysql", "TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class MySqlStore extends DatabaseContracts.Store {

		MySqlStore() {
			super(() -> TestDatabase.mariaDb("mysql", "TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class MySqlTemplate extends DatabaseContracts.Template {

		MySqlTemplate() {
			super(() -> TestDatabase.mariaDb("mysql", "TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class MySqlCommittedTemplate extends DatabaseContracts.Template {

		MySqlCommittedTemplate() {
			super(() -> TestDatabase.mariaDb("mysql", "TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class MySqlCommittedStore extends DatabaseContracts.Store {

		MySqlCommittedStore() {
			super(() -> TestDatabase.mariaDb("mysql", "TRANSACTION_READ_COMMITTED"));
		}

	}

}
