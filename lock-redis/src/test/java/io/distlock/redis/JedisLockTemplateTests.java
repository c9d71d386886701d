package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import org.springframework.data.redis.connection.RedisConnectionFactory;

@Tag("ci")
class JedisLockTemplateTests extends FairLockTemplateContract {

	private static RedisServer server;

	private static RedisConnectionFactory factory;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		factory = Client.JEDIS.connect(server);
	}

	@AfterAll
	static void stop() {
		Client.close(factory);
		server.close();
	}

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(factory);
	}

}
