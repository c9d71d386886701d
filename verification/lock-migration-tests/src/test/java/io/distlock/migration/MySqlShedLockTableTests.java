package io.distlock.migration;

import io.distlock.databases.MySqlServer;
import io.distlock.databases.NeedsMySql;

@NeedsMySql
class MySqlShedLockTableTests extends AbstractShedLockTableTests {

	MySqlShedLockTableTests() {
		super(MySqlServer.start());
	}

}
