package io.distlock.jdbc;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The isolation level at which a lost race is an error, on the threads of callers. */
@Tag("ci")
class PostgresIsolationTests {

	@Nested
	class SerializableStore extends DatabaseContracts.StoreOfCallers {

		SerializableStore() {
			super(() -> TestDatabase.postgres("TRANSACTION_SERIALIZABLE"));
		}

	}

}
