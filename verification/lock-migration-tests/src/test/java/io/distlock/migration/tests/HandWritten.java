package io.distlock.migration.tests;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.distlock.DistributedLock;
import io.distlock.OnBusy;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.transaction.annotation.Transactional;

/**
 * A method under a lock that its application has written itself, and after the move.
 */
class HandWritten {

	private static final RedisScript<Long> DELETE_IF_OWNER = RedisScript.of(
			"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end",
			Long.class);

	private final StringRedisTemplate redis;

	private final Books books;

	HandWritten(StringRedisTemplate redis, Books books) {
		this.redis = redis;
		this.books = books;
	}

	// tag::before[]
	@Transactional
	public boolean pay(String user, long amount) {
		String key = "lock:wallet:" + user;
		String owner = UUID.randomUUID().toString();
		if (!Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent(key, owner, Duration.ofSeconds(30)))) {
			return false;
		}
		try {
			return this.books.take(user, amount);
		}
		finally {
			this.redis.execute(DELETE_IF_OWNER, List.of(key), owner); // before the commit
		}
	}
	// end::before[]

	// tag::after[]
	@Transactional
	@DistributedLock(name = "wallet", key = "#user", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "false")
	public boolean payUnderTheLock(String user, long amount) {
		return this.books.take(user, amount);
	}
	// end::after[]

	/** The work under the lock. */
	@FunctionalInterface
	interface Books {

		boolean take(String user, long amount);

	}

}
