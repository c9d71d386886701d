package io.distlock.jdbc;

import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

import io.distlock.databases.NeedsMariaDb;
import io.distlock.spi.StoreCheckResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the server and both drivers report is understood. */
@NeedsMariaDb
class MariaDbStartupCheckTests {

	private static final String COLUMNS = " revision BIGINT NOT NULL, busy SMALLINT NOT NULL, token BIGINT NOT NULL, "
			+ "holder VARCHAR(255), waiting INTEGER NOT NULL, held_until BIGINT NOT NULL, ";

	@ParameterizedTest
	@ValueSource(strings = { "mariadb", "mysql" })
	void problemsAreNamed(String driver) throws SQLException {
		assertProblemsAreNamed(TestDatabase.mariaDb(driver, "TRANSACTION_READ_COMMITTED"), "schema-mariadb.sql");
	}

	static void assertProblemsAreNamed(DataSource database, String schema) throws SQLException {
		assertThat(run(database, "distributed_lock")).isEqualTo(new StoreCheckResult.Passed(List.of()));
		assertThat(problem(database, "nothing_here")).contains("nothing_here of locks is missing", schema);
		createTable(database, "case_lock",
				"(lock_key VARCHAR(255) PRIMARY KEY," + COLUMNS + "record MEDIUMTEXT NOT NULL)");
		assertThat(problem(database, "case_lock")).contains("differ in case");
		createTable(database, "short_lock",
				"(lock_key VARCHAR(255) COLLATE utf8mb4_bin PRIMARY KEY," + COLUMNS + "record TEXT NOT NULL)");
		assertThat(problem(database, "short_lock")).contains("does not fit");
		createTable(database, "other_lock", "(lock_key VARCHAR(255) PRIMARY KEY)");
		assertThat(problem(database, "other_lock")).contains("is not as");
		createTable(database, "weak_lock", "(lock_key VARCHAR(255) COLLATE ascii_bin PRIMARY KEY," + COLUMNS
				+ "record MEDIUMTEXT NOT NULL) CHARACTER SET ascii ENGINE = MyISAM");
		assertThat(((StoreCheckResult.Passed) run(database, "weak_lock")).warnings()).singleElement()
			.asString()
			.contains("engine of table weak_lock is MYISAM");
		TestDatabase.execute(database, "SET GLOBAL read_only = 1");
		try {
			assertThat(problem(database, "distributed_lock")).contains("read-only");
		}
		finally {
			TestDatabase.execute(database, "SET GLOBAL read_only = 0");
		}
	}

	private static String problem(DataSource database, String table) {
		return run(database, table).problems().get(0);
	}

	private static StoreCheckResult run(DataSource database, String table) {
		return new JdbcStartupCheck(database, TestDatabase.settings().table(table).build()).run();
	}

	/** Anew, as another driver may have made one before. */
	private static void createTable(DataSource database, String name, String definition) throws SQLException {
		TestDatabase.execute(database, "DROP TABLE IF EXISTS " + name);
		TestDatabase.execute(database, "CREATE TABLE " + name + " " + definition);
	}

}
