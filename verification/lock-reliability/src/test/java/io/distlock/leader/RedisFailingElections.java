package io.distlock.leader;

import java.time.Duration;

import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.test.VirtualClock;
import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Lets allocations fail in elections on a real server. Its time is not that of the
 * elections, which is faster.
 */
final class RedisFailingElections {

	/** A lock that nobody renews ends soon. */
	private static final Duration LEASE = Duration.ofSeconds(5);

	/** For a machine that stalls. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/** Called by the test, through another class loader. */
	void failEach(String name) {
		try (RedisServer server = RedisServer.start()) {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(
					new RedisStandaloneConfiguration(server.host(), server.port()));
			factory.afterPropertiesSet();
			factory.start();
			RedisLockStoreSettings settings = RedisLockStoreSettings.builder().commandTimeout(PATIENCE).build();
			new FailingElections(new VirtualClock(), LEASE, () -> new RedisLockStore(factory, settings)).failEach(name);
			factory.stop();
		}
	}

}
