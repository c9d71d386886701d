package io.distlock.redis;

import java.time.Duration;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The whole contract, for a user with the documented rights and no others. */
class LettuceMinimalRightsTests extends LockStoreContract {

	private static RedisServer server;

	private static RedisConnectionFactory factory;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		factory = MinimalRights.connect(Client.LETTUCE, server, MinimalRights.LISTING);
	}

	@AfterAll
	static void stop() {
		Client.close(factory);
		server.close();
	}

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(factory,
				RedisLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(5)).build());
	}

}
