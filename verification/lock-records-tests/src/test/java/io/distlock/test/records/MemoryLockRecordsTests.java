package io.distlock.test.records;

import io.distlock.records.place.LockRecords;

class MemoryLockRecordsTests extends LockRecordsContract {

	private final MemoryPlace place = new MemoryPlace();

	@Override
	protected LockRecords newRecords() {
		return this.place.newRecords();
	}

}
