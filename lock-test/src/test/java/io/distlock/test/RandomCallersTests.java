package io.distlock.test;

import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.output.Seeds;
import io.distlock.spi.LockStore;

class RandomCallersTests extends RandomCallersContract {

	private final InMemoryLockServer server = new InMemoryLockServer();

	@Override
	protected LockStore newStore() {
		return new InMemoryLockStore(this.server);
	}

	@Override
	protected int sequences() {
		return Seeds.of("callers.sequences", 5, 200);
	}

}
