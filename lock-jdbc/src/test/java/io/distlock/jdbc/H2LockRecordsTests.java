package io.distlock.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class H2LockRecordsTests extends DatabaseContracts.Records {

	H2LockRecordsTests() {
		super(TestDatabase::h2);
	}

}
