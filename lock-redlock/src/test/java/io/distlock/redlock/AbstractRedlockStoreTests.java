package io.distlock.redlock;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;

abstract class AbstractRedlockStoreTests extends LockStoreContract {

	private final Client client;

	AbstractRedlockStoreTests(Client client) {
		this.client = client;
	}

	@Override
	protected LockStore newStore() {
		return new RedlockStore(QuorumServers.shared(this.client), QuorumServers.PATIENT);
	}

	@Override
	protected boolean handsOver() {
		return false;
	}

	@Override
	protected boolean countsPermits() {
		return false;
	}

}
