package io.distlock.jdbc;

import org.junit.jupiter.api.Nested;

/** The isolation level at which a lost race is an error, on the threads of callers. */
class PostgresIsolationTests {

	@Nested
	class SerializableStore extends DatabaseContracts.StoreOfCallers {

		SerializableStore() {
			super(() -> TestDatabase.postgres("TRANSACTION_SERIALIZABLE"));
		}

	}

}
