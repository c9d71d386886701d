package io.distlock.jdbc;

class PostgresLockStoreTests extends DatabaseContracts.Store {

	PostgresLockStoreTests() {
		super(TestDatabase::postgres);
	}

}
