package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, with callers that execute their commands themselves. */
@Tag("ci")
class CallersJedisLockTemplateTests extends FairLockTemplateContract {

	private static CallersJedis factory;

	@BeforeAll
	static void start() {
		factory = CallersJedis.connect(SharedServers.standalone(), 16);
	}

	@AfterAll
	static void stop() {
		Client.close(factory);
	}

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(factory);
	}

}
