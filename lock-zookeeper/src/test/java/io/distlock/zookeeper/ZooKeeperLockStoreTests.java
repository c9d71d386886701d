package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperLockStoreTests extends LockStoreContract {

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
	protected boolean claimsGrants() {
		return false;
	}

	@Override
	protected LockStore newStore() {
		return Servers.store(server.getConnectString(), Servers.LONG_SESSION);
	}

}
