package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.NeedsMySql;
import io.distlock.databases.NeedsServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The same on each server, with each kind of pool. */
class LockedTableTests {

	/** PostgreSQL. */
	abstract static class Postgres extends AbstractLockedTableTests {

		final HikariDataSource pool = pool(url());

		@AfterEach
		void close() {
			this.pool.close();
		}

		@Override
		String url() {
			return TestDatabase.postgresUrl();
		}

		@Override
		String lock(String name) {
			return "LOCK TABLE " + name + " IN ACCESS EXCLUSIVE MODE";
		}

		@Override
		String underWay() {
			return "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'active'"
					+ " AND query LIKE ?";
		}

		@Override
		String reason() {
			return "canceling statement due to lock timeout";
		}

	}

	@Nested
	class PostgresWithItsOwnPool extends Postgres {

		@Override
		DataSource source() {
			return this.pool;
		}

	}

	@Nested
	class PostgresWithAnotherPool extends Postgres {

		@Override
		DataSource source() {
			return foreign(this.pool);
		}

	}

	@Nested
	@NeedsServer(commands = "pgbouncer", debianPackages = "pgbouncer")
	class PostgresBehindAPooler extends Postgres {

		@Override
		DataSource source() {
			return TestDatabase.pgBouncer();
		}

	}

	/** MariaDB and MySQL. */
	abstract static class MySqlLike extends AbstractLockedTableTests {

		final HikariDataSource pool = pool(url());

		@AfterEach
		void close() {
			this.pool.close();
		}

		@Override
		String lock(String name) {
			return "LOCK TABLES " + name + " WRITE";
		}

		@Override
		void unlock(Connection blocker) throws SQLException {
			try (Statement statement = blocker.createStatement()) {
				statement.execute("UNLOCK TABLES");
			}
		}

		@Override
		String underWay() {
			return "SELECT count(*) FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID()"
					+ " AND COMMAND <> 'Sleep' AND INFO LIKE ?";
		}

		@Override
		String reason() {
			return "Lock wait timeout exceeded";
		}

	}

	@Nested
	@NeedsMariaDb
	class MariaDbWithItsOwnPool extends MySqlLike {

		@Override
		String url() {
			return TestDatabase.mariaDbUrl();
		}

		@Override
		DataSource source() {
			return this.pool;
		}

	}

	@Nested
	@NeedsMariaDb
	class MariaDbWithAnotherPool extends MySqlLike {

		@Override
		String url() {
			return TestDatabase.mariaDbUrl();
		}

		@Override
		DataSource source() {
			return foreign(this.pool);
		}

	}

	@Nested
	@NeedsMySql
	class MySqlWithItsOwnPool extends MySqlLike {

		@Override
		String url() {
			return TestDatabase.mySqlUrl();
		}

		@Override
		DataSource source() {
			return this.pool;
		}

		/** Its shortest limit is a second, so callers give up first. */
		@Override
		String reason() {
			return "did not answer";
		}

	}

}
