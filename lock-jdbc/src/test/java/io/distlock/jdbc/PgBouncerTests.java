package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** A pooler that gives each statement another connection of the server. */
@NeedsServer(commands = "pgbouncer", debianPackages = "pgbouncer")
@Tag("ci")
class PgBouncerTests {

	@Nested
	class Store extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.pgBouncer(), TestDatabase.SETTINGS);
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

}
