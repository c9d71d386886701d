package io.distlock.redisson;

import java.time.Duration;

import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the connections that Redisson offers to Spring Data Redis. */
class RedissonLockStoreTests extends LockStoreContract {

	/** With time for a machine that runs many tests at once. */
	private static final RedisLockStoreSettings PATIENT = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(10))
		.connectTimeout(Duration.ofSeconds(30))
		.pollInterval(Duration.ofSeconds(2))
		.build();

	private static RedissonServer redis;

	@BeforeAll
	static void start() {
		redis = RedissonServer.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(redis.factory(), PATIENT);
	}

}
