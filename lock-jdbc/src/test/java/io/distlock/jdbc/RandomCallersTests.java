package io.distlock.jdbc;

import java.time.Duration;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.NeedsMySql;
import io.distlock.output.Seeds;
import io.distlock.spi.LockStore;
import io.distlock.test.RandomCallersContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** On each database, at its usual isolation level. */
class RandomCallersTests {

	/** A database. */
	private abstract static class OnDatabase extends RandomCallersContract {

		private final Supplier<DataSource> database;

		private OnDatabase(Supplier<DataSource> database) {
			this.database = database;
		}

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(this.database.get(),
					TestDatabase.settings().pollInterval(Duration.ofMillis(20)).build());
		}

		@Override
		protected int sequences() {
			return Seeds.of("callers.sequences", 5, 200);
		}

	}

	@Nested
	class H2 extends OnDatabase {

		H2() {
			super(TestDatabase::h2);
		}

	}

	@Nested
	@Tag("ci")
	class Postgres extends OnDatabase {

		Postgres() {
			super(() -> TestDatabase.postgres("TRANSACTION_READ_COMMITTED"));
		}

	}

	@Nested
	@NeedsMariaDb
	@Tag("ci")
	class MariaDb extends OnDatabase {

		MariaDb() {
			super(() -> TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"));
		}

	}

	@Nested
	@NeedsMySql
	@Tag("ci")
	class MySql extends OnDatabase {

		MySql() {
			super(() -> TestDatabase.mySql("TRANSACTION_REPEATABLE_READ"));
		}

	}

}
