package io.distlock.jdbc;

class H2LockRecordsTests extends DatabaseContracts.Records {

	H2LockRecordsTests() {
		super(TestDatabase::h2);
	}

}
