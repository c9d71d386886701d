package io.distlock.jdbc;

import java.sql.SQLException;

import javax.sql.DataSource;

import io.distlock.databases.NeedsMySql;
import io.distlock.records.LockRecords;
import io.distlock.spi.LockStore;
import io.distlock.test.CallingStore;
import io.distlock.test.FairLockTemplateContract;
import io.distlock.test.LockStoreContract;
import io.distlock.test.records.LockRecordsContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contracts on MySQL 8 that every build leaves out. */
@Tag("reliability")
@NeedsMySql
class MySqlMatrixTests {

	@Nested
	class Store extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new CallingStore(
					new JdbcLockStore(TestDatabase.mySql("TRANSACTION_REPEATABLE_READ"), TestDatabase.SETTINGS));
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

	@Nested
	class Template extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mySql("TRANSACTION_REPEATABLE_READ"), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class CommittedRecords extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.mySql("TRANSACTION_READ_COMMITTED"), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class CommittedStore extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new CallingStore(
					new JdbcLockStore(TestDatabase.mySql("TRANSACTION_READ_COMMITTED"), TestDatabase.SETTINGS));
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

	@Nested
	class CommittedTemplate extends FairLockTemplateContract {

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(TestDatabase.mySql("TRANSACTION_READ_COMMITTED"), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class SerializableRecords extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(TestDatabase.mySql("TRANSACTION_SERIALIZABLE"), TestDatabase.SETTINGS);
		}

	}

	@Nested
	class SerializableStore extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new CallingStore(
					new JdbcLockStore(TestDatabase.mySql("TRANSACTION_SERIALIZABLE"), TestDatabase.SETTINGS));
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

	@Nested
	class Commits extends AbstractCommitCheckTests {

		@Override
		DataSource dataSource() {
			return TestDatabase.mySql("TRANSACTION_REPEATABLE_READ");
		}

		@Override
		int waiting() throws SQLException {
			return count(dataSource(),
					"SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'");
		}

	}

}
