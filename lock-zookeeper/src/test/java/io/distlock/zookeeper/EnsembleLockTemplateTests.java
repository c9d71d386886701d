package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class EnsembleLockTemplateTests extends FairLockTemplateContract {

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
	protected int cycles() {
		return 100;
	}

	@Override
	protected LockStore newStore() {
		return Servers.store(servers.address(), Servers.LONG_SESSION);
	}

}
