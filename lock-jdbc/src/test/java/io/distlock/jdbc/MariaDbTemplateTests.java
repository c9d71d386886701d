package io.distlock.jdbc;

import io.distlock.databases.NeedsServer;
import org.junit.jupiter.api.Nested;

/** The engine on MariaDB. */
@NeedsServer(command = "mariadbd", debianPackage = "mariadb-server-core")
class MariaDbTemplateTests {

	@Nested
	class Template extends DatabaseContracts.Template {

		Template() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"));
		}

	}

}
