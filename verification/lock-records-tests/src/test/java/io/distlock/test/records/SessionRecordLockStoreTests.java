package io.distlock.test.records;

import java.time.Duration;
import java.time.Instant;

import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class SessionRecordLockStoreTests extends LockStoreContract {

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.SESSION, true, Instant::now);

	@Override
	protected LockStore newStore() {
		return new RecordLockStore(this.place.newRecords(),
				RecordSettings.NOTIFIED.withCommandTimeout(Duration.ofSeconds(10)));
	}

	@Override
	protected boolean claimsGrants() {
		return false;
	}

}
