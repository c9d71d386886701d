package io.distlock.jdbc;

import io.distlock.records.place.LockRecords;
import io.distlock.test.records.LockRecordsContract;

class PostgresLockRecordsTests extends LockRecordsContract {

	@Override
	protected LockRecords newRecords() {
		return new JdbcLockRecords(TestDatabase.postgres(), TestDatabase.SETTINGS);
	}

}
