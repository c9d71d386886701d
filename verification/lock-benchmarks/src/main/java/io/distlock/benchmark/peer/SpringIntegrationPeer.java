package io.distlock.benchmark.peer;

import java.time.Duration;
import java.util.concurrent.locks.Lock;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's registry, told of releases by a subscription. */
final class SpringIntegrationPeer implements Peer {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration UNRENEWED = Duration.ofSeconds(60);

	private final Runnable closer;

	private static final int ATTEMPTS = 5;

	private final RedisLockRegistry registry;

	private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

	private SpringIntegrationPeer(RedisConnectionFactory factory, Runnable closer, Duration lease) {
		this.closer = closer;
		this.registry = new RedisLockRegistry(factory, "registry", lease);
		this.registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
		this.scheduler.setDaemon(true);
		this.scheduler.initialize();
	}

	/** With its defaults: 60 s, not renewed. */
	static Peer plain(RedisAddress redis) {
		return onLettuce(redis, UNRENEWED);
	}

	private static SpringIntegrationPeer onLettuce(RedisAddress redis, Duration lease) {
		LettuceConnectionFactory factory = redis.connect();
		return new SpringIntegrationPeer(factory, factory::destroy, lease);
	}

	/** On a pool of Jedis connections. */
	static Peer jedis(RedisAddress redis) {
		JedisConnectionFactory factory = redis.connectJedis();
		return new SpringIntegrationPeer(factory, factory::destroy, UNRENEWED);
	}

	static Peer renewing(RedisAddress redis) {
		SpringIntegrationPeer peer = onLettuce(redis, LEASE);
		peer.registry.setRenewalTaskScheduler(peer.scheduler);
		return peer;
	}

	@Override
	public Held acquire(String key) {
		Lock lock = this.registry.obtain(key);
		lockOnceSubscribed(lock);
		return lock::unlock;
	}

	/**
	 * The first waiter waits only two seconds for the subscription, which a busy machine
	 * may not open in that time.
	 */
	private static void lockOnceSubscribed(Lock lock) {
		for (int attempt = 1;; attempt++) {
			try {
				lock.lock();
				return;
			}
			catch (CannotAcquireLockException ex) {
				if (attempt == ATTEMPTS || !String.valueOf(ex.getMostSpecificCause().getMessage())
					.contains("Subscription registration timeout")) {
					throw ex;
				}
			}
		}
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.scheduler.destroy();
		this.closer.run();
	}

}
