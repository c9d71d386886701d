package io.distlock.migration;

import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;

@NeedsMariaDb
class MariaDbShedLockTableTests extends AbstractShedLockTableTests {

	MariaDbShedLockTableTests() {
		super(MariaDbServer.start());
	}

}
