package io.distlock.redisson;

import io.distlock.redis.RedisLockStore;
import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

/** The contract on the connections that Redisson offers to Spring Data Redis. */
class RedissonLockStoreTests extends LockStoreContract {

	private static RedisServer server;

	private static RedissonClient redisson;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		Config config = new Config();
		config.useSingleServer().setAddress("redis://" + server.host() + ":" + server.port());
		redisson = Redisson.create(config);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		server.close();
	}

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(new RedissonConnectionFactory(redisson));
	}

}
