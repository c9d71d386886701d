package io.distlock.jdbc;

import java.sql.SQLException;

import javax.sql.DataSource;

import io.distlock.databases.NeedsMariaDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The check before a commit on each kind of database. */
class CommitCheckTests {

	@Nested
	class OnPostgres extends AbstractCommitCheckTests {

		@Override
		DataSource dataSource() {
			return TestDatabase.postgres();
		}

		@Override
		int waiting() throws SQLException {
			return Integer.parseInt(TestDatabase.query(dataSource(),
					"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"));
		}

		@Test
		@Override
		void keepEndsWithinTheCommandTimeoutAlthoughTheRowIsNotFreed() throws Exception {
			super.keepEndsWithinTheCommandTimeoutAlthoughTheRowIsNotFreed();
		}

	}

	@Nested
	@NeedsMariaDb
	class OnMariaDb extends AbstractCommitCheckTests {

		@Override
		DataSource dataSource() {
			return TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ");
		}

		@Override
		int waiting() throws SQLException {
			return Integer.parseInt(TestDatabase.query(dataSource(),
					"SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"));
		}

		@Test
		@Override
		void keepEndsWithinTheCommandTimeoutAlthoughTheRowIsNotFreed() throws Exception {
			super.keepEndsWithinTheCommandTimeoutAlthoughTheRowIsNotFreed();
		}

	}

	@Nested
	class OnH2 extends AbstractCommitCheckTests {

		@Override
		DataSource dataSource() {
			return TestDatabase.h2();
		}

		@Override
		int waiting() throws SQLException {
			return Integer.parseInt(TestDatabase.query(dataSource(),
					"SELECT count(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL"));
		}

	}

}
