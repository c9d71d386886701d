package io.distlock.jdbc;

class PostgresLockRecordsTests extends DatabaseContracts.Records {

	PostgresLockRecordsTests() {
		super(TestDatabase::postgres);
	}

}
