package io.distlock.benchmark.peer;

import java.util.function.BiFunction;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its defaults: watchdog, pool of connections. */
final class RedissonPeer implements Peer {

	private final RedissonClient client;

	private final BiFunction<RedissonClient, String, RLock> locks;

	private final Together together;

	private RedissonPeer(RedisAddress redis, BiFunction<RedissonClient, String, RLock> locks) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://" + redis.host() + ":" + redis.port());
		this.client = Redisson.create(config);
		this.locks = locks;
		this.together = new RedissonTogether(this.client);
	}

	static Peer plain(RedisAddress redis) {
		return new RedissonPeer(redis, RedissonClient::getLock);
	}

	static Peer fair(RedisAddress redis) {
		return new RedissonPeer(redis, RedissonClient::getFairLock);
	}

	@Override
	public Held acquire(String key) {
		RLock lock = this.locks.apply(this.client, key);
		lock.lock();
		return lock::unlock;
	}

	@Override
	public Together together() {
		return this.together;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
