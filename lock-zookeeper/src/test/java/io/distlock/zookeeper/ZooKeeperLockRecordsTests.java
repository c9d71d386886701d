package io.distlock.zookeeper;

import io.distlock.records.place.LockRecords;
import io.distlock.test.records.LockRecordsContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class ZooKeeperLockRecordsTests extends LockRecordsContract {

	@Override
	protected LockRecords newRecords() {
		return new ZooKeeperLockRecords(Client.Own.of(Servers.client(Servers.shared().address()), Servers.SETTINGS),
				Servers.SETTINGS);
	}

}
