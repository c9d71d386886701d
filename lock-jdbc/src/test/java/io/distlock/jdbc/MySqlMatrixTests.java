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
	class RepeatableRead extends DatabaseContracts.All {

		RepeatableRead() {
			super(() -> TestDatabase.mySql("TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	class Committed extends DatabaseContracts.All {

		Committed() {
			super(() -> TestDatabase.mySql("TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	class Serializable extends DatabaseContracts.All {

		Serializable() {
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
			return Integer.parseInt(TestDatabase.query(dataSource(),
					"SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"));
		}

	}

}
