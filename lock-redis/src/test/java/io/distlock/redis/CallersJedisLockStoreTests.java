package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.CallingStore;
import io.distlock.test.LockStoreContract;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class CallersJedisLockStoreTests extends LockStoreContract {

	private static RedisServer server;

	private static CallersJedis factory;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		factory = CallersJedis.connect(server, 16);
	}

	@AfterAll
	static void stop() {
		Client.close(factory);
		server.close();
	}

	@Override
	protected LockStore newStore() {
		return new CallingStore(new RedisLockStore(factory));
	}

}
