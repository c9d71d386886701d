package io.distlock.benchmark.peer;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

/** What tutorials build: a hash of owner and count, tried again every 50 ms. */
final class TutorialPeer implements Peer {

	private static final RedisScript<Long> LOCK = new DefaultRedisScript<>("""
			if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[1]) == 1 then
				redis.call('hincrby', KEYS[1], ARGV[1], 1)
				redis.call('expire', KEYS[1], ARGV[2])
				return 1
			end
			return 0
			""", Long.class);

	private static final RedisScript<Long> UNLOCK = new DefaultRedisScript<>("""
			if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
				return -1
			end
			if redis.call('hincrby', KEYS[1], ARGV[1], -1) == 0 then
				return redis.call('del', KEYS[1])
			end
			return 0
			""", Long.class);

	private static final String LEASE_SECONDS = "30";

	private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

	private final String instance = UUID.randomUUID().toString();

	private final LettuceConnectionFactory factory;

	private final StringRedisTemplate redis;

	TutorialPeer(RedisAddress address) {
		this.factory = address.connect();
		this.redis = new StringRedisTemplate(this.factory);
	}

	@Override
	public Held acquire(String key) {
		List<String> keys = List.of("tutorial:" + key);
		String owner = this.instance + ":" + Thread.currentThread().getId();
		while (run(LOCK, keys, owner, LEASE_SECONDS) == 0) {
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		return () -> release(keys, owner);
	}

	private void release(List<String> keys, String owner) {
		if (run(UNLOCK, keys, owner) < 0) {
			throw new IllegalStateException("Lost " + keys);
		}
	}

	private long run(RedisScript<Long> script, List<String> keys, Object... arguments) {
		Long reply = this.redis.execute(script, keys, arguments);
		if (reply == null) {
			throw new IllegalStateException("No reply for " + keys);
		}
		return reply;
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
