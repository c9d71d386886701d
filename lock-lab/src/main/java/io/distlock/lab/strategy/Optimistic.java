package io.distlock.lab.strategy;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** No lock: WATCH, read, MULTI, write, EXEC, and again if another customer was faster. */
class Optimistic implements Strategy {

	private static final String STOCK = "lab:stock";

	private static final int ATTEMPTS = 16;

	private final StringRedisTemplate redis;

	Optimistic(StrategySupport support) {
		this.redis = support.sessions();
	}

	@Override
	public boolean sell(Customer customer) {
		for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
			Outcome outcome = this.redis.execute(new Attempt(customer));
			if (outcome != Outcome.CONFLICT) {
				return outcome == Outcome.SOLD;
			}
			customer.conflict();
			// Those that met do not meet again, as each waits another time.
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(attempt)));
		}
		return true;
	}

	private enum Outcome {

		SOLD, SOLD_OUT, CONFLICT

	}

	/**
	 * Runs on one connection from WATCH to EXEC, as the server watches per connection.
	 */
	private record Attempt(Customer customer) implements SessionCallback<Outcome> {

		@Override
		@SuppressWarnings("unchecked")
		public <K, V> Outcome execute(RedisOperations<K, V> session) {
			RedisOperations<String, String> redis = (RedisOperations<String, String>) session;
			redis.watch(STOCK);
			int left = Integer.parseInt(redis.opsForValue().get(STOCK));
			if (left == 0) {
				redis.unwatch();
				return Outcome.SOLD_OUT;
			}
			this.customer.work();
			redis.multi();
			redis.opsForValue().set(STOCK, Integer.toString(left - 1));
			List<Object> replies = redis.exec();
			if (replies == null || replies.isEmpty()) {
				return Outcome.CONFLICT;
			}
			this.customer.sold(left);
			return Outcome.SOLD;
		}

	}

}
