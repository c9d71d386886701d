package io.distlock.jdbc;

class H2LockStoreTests extends DatabaseContracts.Store {

	H2LockStoreTests() {
		super(TestDatabase::h2);
	}

}
