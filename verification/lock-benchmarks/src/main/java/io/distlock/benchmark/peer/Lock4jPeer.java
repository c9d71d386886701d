package io.distlock.benchmark.peer;

import java.time.Duration;
import java.util.List;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** lock4j on RedisTemplate with its default lease of 30 s, not renewed. */
final class Lock4jPeer implements Peer {

	private static final long LONG_MILLIS = Duration.ofMinutes(10).toMillis();

	private final LettuceConnectionFactory factory;

	private final LockTemplate template = new LockTemplate();

	private final long leaseMillis;

	Lock4jPeer(RedisAddress redis) {
		this.factory = redis.connect();
		Lock4jProperties properties = new Lock4jProperties();
		this.leaseMillis = properties.getExpire();
		this.template.setProperties(properties);
		this.template
			.setExecutors(List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(this.factory), properties)));
		try {
			this.template.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException("lock4j refuses its configuration", ex);
		}
	}

	@Override
	public Held acquire(String key) {
		LockInfo lock = this.template.lock(key, this.leaseMillis, LONG_MILLIS);
		if (lock == null) {
			throw new IllegalStateException("lock4j did not get " + key);
		}
		return () -> {
			if (!this.template.releaseLock(lock)) {
				throw new IllegalStateException("lock4j lost " + key);
			}
		};
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
