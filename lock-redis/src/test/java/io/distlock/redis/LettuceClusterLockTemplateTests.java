package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class LettuceClusterLockTemplateTests extends FairLockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.cluster(Client.LETTUCE), SharedServers.PATIENT);
	}

}
