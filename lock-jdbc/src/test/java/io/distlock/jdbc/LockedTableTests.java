package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

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
		void unblock(Connection blocker, String name) throws SQLException {
			execute(blocker, "UNLOCK TABLES");
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

	/** H2, whose own statements wait in the process of the database. */
	abstract static class H2 extends AbstractLockedTableTests {

		final HikariDataSource pool = pool("jdbc:h2:mem:" + UUID.randomUUID());

		/** Ends the database, too. */
		@AfterEach
		void close() {
			this.pool.close();
		}

		@Override
		String url() {
			return this.pool.getJdbcUrl();
		}

		/** A change of the table that is not committed. */
		@Override
		String lock(String name) {
			return "ALTER TABLE " + name + " SET REFERENTIAL_INTEGRITY TRUE";
		}

		/** All connections but two of the test. */
		@Override
		String underWay() {
			return "SELECT count(*) - 2 FROM INFORMATION_SCHEMA.SESSIONS";
		}

		@Override
		String reason() {
			return "Timeout trying to lock table";
		}

	}

	@Nested
	class H2WithItsOwnPool extends H2 {

		@Override
		DataSource source() {
			return this.pool;
		}

	}

	@Nested
	class H2WithAnotherPool extends H2 {

		@Override
		DataSource source() {
			return foreign(this.pool);
		}

	}

	/** Statements of all others wait without a limit until the mode ends. */
	@Nested
	class H2InExclusiveMode extends H2 {

		@Override
		DataSource source() {
			return this.pool;
		}

		@Override
		String lock(String name) {
			return "SET EXCLUSIVE 1";
		}

		@Override
		Connection observer(Connection admin, Connection blocker) {
			return blocker;
		}

		@Override
		void unblock(Connection blocker, String name) throws SQLException {
			execute(blocker, "SET EXCLUSIVE FALSE");
		}

		@Override
		String reason() {
			return "did not answer";
		}

	}

}
