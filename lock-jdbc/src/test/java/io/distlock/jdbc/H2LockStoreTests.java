package io.distlock.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class H2LockStoreTests extends DatabaseContracts.Store {

	H2LockStoreTests() {
		super(TestDatabase::h2);
	}

}
