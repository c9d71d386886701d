package io.distlock.jdbc;

import javax.sql.DataSource;

import io.distlock.databases.NeedsServer;
import org.junit.jupiter.api.Nested;

/** The check before a commit on each kind of database. */
class CommitCheckTests {

	@Nested
	class OnPostgres extends AbstractCommitCheckTests {

		@Override
		DataSource dataSource() {
			return TestDatabase.postgres();
		}

	}

	@Nested
	@NeedsServer(command = "mariadbd", debianPackage = "mariadb-server-core")
	class OnMariaDb extends AbstractCommitCheckTests {

		@Override
		DataSource dataSource() {
			return TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ");
		}

	}

	@Nested
	class OnH2 extends AbstractCommitCheckTests {

		@Override
		DataSource dataSource() {
			return TestDatabase.h2();
		}

	}

}
