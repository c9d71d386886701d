package io.distlock.zookeeper;

import io.distlock.output.Seeds;
import io.distlock.spi.LockStore;
import io.distlock.test.RandomCallersContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class RandomCallersTests extends RandomCallersContract {

	@Override
	protected LockStore newStore() {
		return Servers.store(Servers.shared().address(), Servers.LONG_SESSION);
	}

	@Override
	protected int sequences() {
		return Seeds.of("callers.sequences", 5, 200);
	}

}
