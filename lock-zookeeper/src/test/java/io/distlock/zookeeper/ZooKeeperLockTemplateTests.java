package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperLockTemplateTests extends FairLockTemplateContract {

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
	protected int cycles() {
		return 200;
	}

	@Override
	protected LockStore newStore() {
		return Servers.store(server.getConnectString(), Servers.LONG_SESSION);
	}

}
