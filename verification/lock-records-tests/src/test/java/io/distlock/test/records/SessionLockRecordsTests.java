package io.distlock.test.records;

import java.time.Instant;

import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordTraits;

class SessionLockRecordsTests extends LockRecordsContract {

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.SESSION, true, Instant::now);

	@Override
	protected LockRecords newRecords() {
		return this.place.newRecords();
	}

}
