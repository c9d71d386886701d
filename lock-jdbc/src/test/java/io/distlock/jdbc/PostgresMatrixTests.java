package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The combinations of pooler and isolation level that every build leaves out. */
@Tag("reliability")
@NeedsServer(commands = "pgbouncer", debianPackages = "pgbouncer")
class PostgresMatrixTests {

	@Nested
	class RepeatableReadRecords extends DatabaseContracts.Records {

		RepeatableReadRecords() {
			super(() -> TestDatabase.postgres("TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class RepeatableReadTemplate extends DatabaseContracts.Template {

		RepeatableReadTemplate() {
			super(() -> TestDatabase.postgres("TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class SerializableTemplate extends DatabaseContracts.Template {

		SerializableTemplate() {
			super(() -> TestDatabase.postgres("TRANSACTION_SERIALIZABLE"));
		}

	}

	@Nested
	class PgBouncerTemplate extends DatabaseContracts.Template {

		PgBouncerTemplate() {
			super(() -> TestDatabase.pgBouncer());
		}

	}

	@Nested
	class PgBouncerRecords extends DatabaseContracts.Records {

		PgBouncerRecords() {
			super(() -> TestDatabase.pgBouncer());
		}

	}

	@Nested
	class RepeatableReadStore extends DatabaseContracts.Store {

		RepeatableReadStore() {
			super(() -> TestDatabase.postgres("TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class SerializableRecords extends DatabaseContracts.Records {

		SerializableRecords() {
			super(() -> TestDatabase.postgres("TRANSACTION_SERIALIZABLE"));
		}

	}

}
