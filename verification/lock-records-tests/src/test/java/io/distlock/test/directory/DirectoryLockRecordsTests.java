package io.distlock.test.directory;

import java.nio.file.Path;

import io.distlock.records.place.LockRecords;
import io.distlock.test.records.LockRecordsContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
// tag::contract[]
class DirectoryLockRecordsTests extends LockRecordsContract {

	@TempDir
	Path directory;

	@Override
	protected LockRecords newRecords() {
		return new DirectoryLockRecords(this.directory);
	}

}
// end::contract[]
