package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class EnsembleLockTemplateTests extends FairLockTemplateContract {

	private static Ensemble servers;

	private static String follower;

	@BeforeAll
	static void start() {
		servers = Ensemble.start(Duration.ofSeconds(2), 5);
		follower = servers.address(servers.followers().get(0));
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

	@Override
	protected int cycles() {
		return 100;
	}

	/**
	 * All on one follower: another server may not have seen yet what this one has
	 * answered, which the contract does not expect.
	 */
	@Override
	protected LockStore newStore() {
		return Servers.store(follower, Servers.LONG_SESSION);
	}

}
