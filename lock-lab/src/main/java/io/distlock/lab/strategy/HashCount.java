package io.distlock.lab.strategy;

import java.util.List;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** A hash with the owner and a count: the owner enters again, and the last end counts. */
class HashCount implements Strategy {

	private final StringRedisTemplate redis;

	private final RedisScript<Long> lock = StrategySupport.script("hash_lock.lua");

	private final RedisScript<Long> unlock = StrategySupport.script("hash_unlock.lua");

	HashCount(StrategySupport support) {
		this.redis = support.redis();
	}

	@Override
	public boolean sell(Customer customer) {
		lock(customer);
		try {
			lookUpPrice(customer);
			return customer.buy();
		}
		finally {
			unlock(customer);
		}
	}

	/** Nobody may change the price meanwhile. */
	private void lookUpPrice(Customer customer) {
		lock(customer);
		unlock(customer);
	}

	private void lock(Customer customer) {
		String lease = Long.toString(StrategySupport.LEASE.toMillis());
		while (this.redis.execute(this.lock, List.of("lab:lock"), customer.name(), lease) == 0) {
			customer.retry();
		}
	}

	private void unlock(Customer customer) {
		this.redis.execute(this.unlock, List.of("lab:lock"), customer.name());
	}

}
