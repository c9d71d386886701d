package io.distlock.test.directory;

import java.nio.file.Path;
import java.time.Duration;

import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
// tag::store-contract[]
class DirectoryLockStoreTests extends LockStoreContract {

	@TempDir
	Path directory;

	@Override
	protected LockStore newStore() {
		return new RecordLockStore(new DirectoryLockRecords(this.directory),
				RecordSettings.POLLED.withCommandTimeout(Duration.ofSeconds(10)));
	}

	@Override
	protected boolean notifies() {
		return false;
	}

}
// end::store-contract[]
