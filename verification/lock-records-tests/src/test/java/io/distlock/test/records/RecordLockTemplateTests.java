package io.distlock.test.records;

import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class RecordLockTemplateTests extends FairLockTemplateContract {

	private final MemoryPlace place = new MemoryPlace();

	@Override
	protected LockStore newStore() {
		return new RecordLockStore(this.place.newRecords(), RecordSettings.NOTIFIED);
	}

}
