package io.distlock.jdbc;

import io.distlock.databases.NeedsMariaDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The engine on MariaDB. */
@NeedsMariaDb
@Tag("ci")
class MariaDbTemplateTests {

	@Nested
	class Template extends DatabaseContracts.Template {

		Template() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"));
		}

	}

}
