package io.distlock.test.records;

import java.time.Duration;

import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

class RecordLockStoreTests extends LockStoreContract {

	private final MemoryPlace place = new MemoryPlace();

	@Override
	protected LockStore newStore() {
		return new RecordLockStore(this.place.newRecords(),
				RecordSettings.NOTIFIED.withCommandTimeout(Duration.ofSeconds(10)));
	}

}
