package io.distlock.zookeeper;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class EnsembleLockTemplateTests extends FairLockTemplateContract {

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
		return Servers.store(Ensemble.sharedFollower(), Servers.LONG_SESSION);
	}

}
