package io.distlock.jdbc;

import io.distlock.records.place.LockRecords;
import io.distlock.test.records.LockRecordsContract;

class H2LockRecordsTests extends LockRecordsContract {

	@Override
	protected LockRecords newRecords() {
		return new JdbcLockRecords(TestDatabase.h2(), TestDatabase.SETTINGS);
	}

}
