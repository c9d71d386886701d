package io.distlock.jdbc;

import java.util.function.Supplier;

import javax.sql.DataSource;

import io.distlock.records.place.LockRecords;
import io.distlock.spi.LockStore;
import io.distlock.test.CallingStore;
import io.distlock.test.FairLockTemplateContract;
import io.distlock.test.LockStoreContract;
import io.distlock.test.records.LockRecordsContract;
import org.junit.jupiter.api.Nested;

/**
 * The contracts on a database, for nested classes of the tests that say which one, with
 * which driver and isolation level. The database is not asked for before a test runs.
 */
final class DatabaseContracts {

	private DatabaseContracts() {
	}

	/** Records. */
	abstract static class Records extends LockRecordsContract {

		private final Supplier<DataSource> database;

		Records(Supplier<DataSource> database) {
			this.database = database;
		}

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(this.database.get(), TestDatabase.SETTINGS);
		}

	}

	/** A store without notifications. */
	abstract static class Store extends LockStoreContract {

		private final Supplier<DataSource> database;

		Store(Supplier<DataSource> database) {
			this.database = database;
		}

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(this.database.get(), TestDatabase.settings().notifications(false).build());
		}

		@Override
		protected boolean notifies() {
			return false;
		}

	}

	/** A store without notifications whose statements callers execute. */
	abstract static class StoreOfCallers extends Store {

		StoreOfCallers(Supplier<DataSource> database) {
			super(database);
		}

		@Override
		protected LockStore newStore() {
			return new CallingStore(super.newStore());
		}

	}

	/** A template. */
	abstract static class Template extends FairLockTemplateContract {

		private final Supplier<DataSource> database;

		Template(Supplier<DataSource> database) {
			this.database = database;
		}

		@Override
		protected LockStore newStore() {
			return new JdbcLockStore(this.database.get(), TestDatabase.SETTINGS);
		}

	}

	/** All of them, for a combination of driver, server and isolation level. */
	abstract static class All {

		private final Supplier<DataSource> database;

		All(Supplier<DataSource> database) {
			this.database = database;
		}

		@Nested
		class OfRecords extends Records {

			OfRecords() {
				super(All.this.database);
			}

		}

		@Nested
		class OfStore extends Store {

			OfStore() {
				super(All.this.database);
			}

		}

		@Nested
		class OfStoreOfCallers extends StoreOfCallers {

			OfStoreOfCallers() {
				super(All.this.database);
			}

		}

		@Nested
		class OfTemplate extends Template {

			OfTemplate() {
				super(All.this.database);
			}

		}

	}

}
