package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.NeedsMySql;
import io.distlock.databases.NeedsServer;
import org.awaitility.Awaitility;
import org.h2.api.Trigger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * Statements hang at the server, and no lock of a table or row is the reason. The same on
 * each server, with each kind of pool.
 */
@Tag("ci")
class HungStatementsTests {

	private static final int SECONDS = 60;

	/** PostgreSQL. */
	abstract static class Postgres extends LockedTableTests.Postgres {

		@Override
		void block(Connection blocker, String name) throws SQLException {
			execute(blocker, "CREATE FUNCTION hang_" + name + "() RETURNS trigger LANGUAGE plpgsql AS"
					+ " 'BEGIN PERFORM pg_sleep(" + SECONDS + "); RETURN new; END'");
			execute(blocker, "CREATE TRIGGER hang BEFORE INSERT ON " + name + " FOR EACH ROW EXECUTE FUNCTION hang_"
					+ name + "()");
		}

		@Override
		void unblock(Connection blocker, String name) throws SQLException {
			execute(blocker, "DROP TRIGGER hang ON " + name);
		}

		@Override
		String reason() {
			return "canceling statement due to statement timeout";
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
	abstract static class MySqlLike extends LockedTableTests.MySqlLike {

		@Override
		void block(Connection blocker, String name) throws SQLException {
			// The server shows what the trigger executes.
			execute(blocker, "CREATE TRIGGER hang_" + name + " BEFORE INSERT ON " + name + " FOR EACH ROW SET @hung ="
					+ " SLEEP(" + SECONDS + " + 0 * LENGTH('" + name + "'))");
		}

		@Override
		void unblock(Connection blocker, String name) throws SQLException {
			execute(blocker, "DROP TRIGGER hang_" + name);
		}

	}

	/** Its server counts the time of each statement. */
	abstract static class MariaDb extends MySqlLike {

		@Override
		String url() {
			return TestDatabase.mariaDbUrl();
		}

		@Override
		String reason() {
			return "max_statement_time exceeded";
		}

	}

	@Nested
	@NeedsMariaDb
	class MariaDbWithItsOwnPool extends MariaDb {

		@Override
		DataSource source() {
			return this.pool;
		}

	}

	@Nested
	@NeedsMariaDb
	class MariaDbWithAnotherPool extends MariaDb {

		@Override
		DataSource source() {
			return foreign(this.pool);
		}

	}

	/** Its driver ends a statement at the server. */
	abstract static class MySql extends MySqlLike {

		@Override
		String url() {
			return TestDatabase.mySqlUrl();
		}

		/** A driver counts in seconds. */
		@Override
		Duration timeout() {
			return Duration.ofSeconds(2);
		}

		@Override
		String reason() {
			return "Statement cancelled due to timeout";
		}

	}

	@Nested
	@NeedsMySql
	class MySqlWithItsOwnPool extends MySql {

		@Override
		DataSource source() {
			return this.pool;
		}

	}

	@Nested
	@NeedsMySql
	class MySqlWithAnotherPool extends MySql {

		@Override
		DataSource source() {
			return foreign(this.pool);
		}

	}

	/**
	 * H2, which cannot end what a trigger does. So as many hang as it has connections.
	 */
	abstract static class H2 extends LockedTableTests.H2 {

		private static volatile CountDownLatch over = new CountDownLatch(0);

		@Override
		void block(Connection blocker, String name) throws SQLException {
			over = new CountDownLatch(1);
			execute(blocker, "CREATE TRIGGER hang BEFORE INSERT ON " + name + " FOR EACH ROW CALL '"
					+ Hang.class.getName() + "'");
		}

		@Override
		void unblock(Connection blocker, String name) {
			over.countDown();
			Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
				execute(blocker, "DROP TRIGGER hang");
				return true;
			});
		}

		@Override
		String reason() {
			return "did not answer";
		}

	}

	/** Hangs until it is over. */
	public static final class Hang implements Trigger {

		@Override
		public void fire(Connection connection, Object[] before, Object[] after) {
			try {
				H2.over.await(SECONDS, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
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

}
