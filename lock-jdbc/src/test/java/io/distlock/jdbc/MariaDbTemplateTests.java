package io.distlock.jdbc;

import io.distlock.databases.NeedsMariaDb;
import org.junit.jupiter.api.Nested;

/** The engine on MariaDB. */
@NeedsMariaDb
class MariaDbTemplateTests {

	@Nested
	class Template extends DatabaseContracts.Template {

		Template() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"));
		}

	}

}
