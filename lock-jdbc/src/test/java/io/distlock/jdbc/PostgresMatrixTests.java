package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The combinations of pooler and isolation level that every build leaves out. */
@Tag("reliability")
@NeedsServer(commands = "pgbouncer", debianPackages = "pgbouncer")
class PostgresMatrixTests {

	@Nested
	class RepeatableRead extends DatabaseContracts.All {

		RepeatableRead() {
			super(() -> TestDatabase.postgres("TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class Serializable extends DatabaseContracts.All {

		Serializable() {
			super(() -> TestDatabase.postgres("TRANSACTION_SERIALIZABLE"));
		}

	}

	@Nested
	class BehindPgBouncer extends DatabaseContracts.All {

		BehindPgBouncer() {
			super(() -> TestDatabase.pgBouncer());
		}

	}

}
