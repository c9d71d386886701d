package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class EnsembleLockStoreTests extends LockStoreContract {

	private static Ensemble servers;

	@BeforeAll
	static void start() {
		servers = Ensemble.start(Duration.ofSeconds(2), 5);
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

	@Override
	protected boolean claimsGrants() {
		return false;
	}

	@Override
	protected LockStore newStore() {
		return Servers.store(servers.address(), Servers.LONG_SESSION);
	}

}
