package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.Nested;

/** The engine on MariaDB. */
@NeedsServer(command = "mariadbd", debianPackage = "mariadb-server-core")
class MariaDbTemplateTests {

	@Nested
	class Template extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"),
					TestDatabase.SETTINGS);
		}

	}

}
