package io.distlock.benchmark.peer;

import java.time.Duration;
import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's registry, told of releases by a subscription. */
final class SpringIntegrationPeer implements Peer {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final LettuceConnectionFactory factory;

	private final RedisLockRegistry registry;

	private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

	private SpringIntegrationPeer(RedisAddress redis, Duration lease) {
		this.factory = redis.connect();
		this.registry = new RedisLockRegistry(this.factory, "registry", lease);
		this.registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
		this.scheduler.setDaemon(true);
		this.scheduler.initialize();
	}

	/** With its defaults: 60 s, not renewed. */
	static Peer plain(RedisAddress redis) {
		return new SpringIntegrationPeer(redis, Duration.ofSeconds(60));
	}

	static Peer renewing(RedisAddress redis) {
		SpringIntegrationPeer peer = new SpringIntegrationPeer(redis, LEASE);
		peer.registry.setRenewalTaskScheduler(peer.scheduler);
		return peer;
	}

	@Override
	public Held acquire(String key) {
		Lock lock = this.registry.obtain(key);
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.scheduler.destroy();
		this.factory.destroy();
	}

}
