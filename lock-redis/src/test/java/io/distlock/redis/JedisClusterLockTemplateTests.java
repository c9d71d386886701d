package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisClusterLockTemplateTests extends FairLockTemplateContract {

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(SharedServers.cluster(Client.JEDIS), SharedServers.PATIENT);
	}

}
