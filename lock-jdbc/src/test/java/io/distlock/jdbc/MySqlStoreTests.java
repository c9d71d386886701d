package io.distlock.jdbc;

import java.sql.SQLException;

import javax.sql.DataSource;

import io.distlock.databases.NeedsMySql;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A server of MySQL 8 with its own driver, at the server's usual isolation level. */
@NeedsMySql
@Tag("ci")
class MySqlStoreTests {

	@Test
	void problemsAreNamed() throws SQLException {
		DataSource database = TestDatabase.mySql("TRANSACTION_REPEATABLE_READ");
		try (var connection = database.getConnection()) {
			assertThat(connection.getMetaData().getDatabaseProductVersion()).startsWith("8.");
		}
		MariaDbStartupCheckTests.assertProblemsAreNamed(database, "schema-mysql.sql");
	}

	@Nested
	class Records extends DatabaseContracts.Records {

		Records() {
			super(() -> TestDatabase.mySql("TRANSACTION_REPEATABLE_READ"));
		}

	}

}
