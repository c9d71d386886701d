package io.distlock.jdbc;

import java.sql.SQLException;

import javax.sql.DataSource;

import io.distlock.databases.NeedsMySql;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contracts on MySQL 8 that every build leaves out. */
@Tag("reliability")
@NeedsMySql
class MySqlMatrixTests {

	@Nested
	class Store extends DatabaseContracts.StoreOfCallers {

		Store() {
			super(() -> TestDatabase.mySql("TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class Template extends DatabaseContracts.Template {

		Template() {
			super(() -> TestDatabase.mySql("TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class CommittedRecords extends DatabaseContracts.Records {

		CommittedRecords() {
			super(() -> TestDatabase.mySql("TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class CommittedStore extends DatabaseContracts.StoreOfCallers {

		CommittedStore() {
			super(() -> TestDatabase.mySql("TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class CommittedTemplate extends DatabaseContracts.Template {

		CommittedTemplate() {
			super(() -> TestDatabase.mySql("TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class SerializableRecords extends DatabaseContracts.Records {

		SerializableRecords() {
			super(() -> TestDatabase.mySql("TRANSACTION_SERIALIZABLE"));
		}

	}

	@Nested
	class SerializableStore extends DatabaseContracts.StoreOfCallers {

		SerializableStore() {
			super(() -> TestDatabase.mySql("TRANSACTION_SERIALIZABLE"));
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
