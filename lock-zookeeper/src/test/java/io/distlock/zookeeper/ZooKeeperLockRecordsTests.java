package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.records.place.LockRecords;
import io.distlock.test.records.LockRecordsContract;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperLockRecordsTests extends LockRecordsContract {

	private static TestingServer server;

	@BeforeAll
	static void start() {
		server = Servers.start(Duration.ofSeconds(2));
	}

	@AfterAll
	static void stop() {
		Servers.stop(server);
	}

	@Override
	protected LockRecords newRecords() {
		return new ZooKeeperLockRecords(Client.Own.of(Servers.client(server.getConnectString()), Servers.SETTINGS),
				Servers.SETTINGS);
	}

}
