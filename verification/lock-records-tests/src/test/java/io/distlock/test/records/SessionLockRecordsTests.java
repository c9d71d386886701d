package io.distlock.test.records;

import java.time.Instant;

import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordTraits;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class SessionLockRecordsTests extends LockRecordsContract {

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.SESSION, true, Instant::now);

	@Override
	protected LockRecords newRecords() {
		return this.place.newRecords();
	}

}
