package io.distlock.lab.strategy;

import java.util.List;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** A hash with the owner and a count, so that the owner may take the lock again. */
class HashCount implements Strategy {

	private final StringRedisTemplate redis;

	private final RedisScript<Long> lock = StrategySupport.script("hash_lock.lua");

	private final RedisScript<Long> unlock = StrategySupport.script("hash_unlock.lua");

	HashCount(StrategySupport support) {
		this.redis = support.redis();
	}

	@Override
	public boolean sell(Customer customer) {
		String owner = customer.name();
		String lease = Long.toString(StrategySupport.LEASE.toMillis());
		while (this.redis.execute(this.lock, List.of("lab:lock"), owner, lease) != 1) {
			customer.retry();
		}
		try {
			return customer.buy();
		}
		finally {
			this.redis.execute(this.unlock, List.of("lab:lock"), owner);
		}
	}

}
