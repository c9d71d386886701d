package io.distlock.lab.strategy;

import java.util.List;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** The owner may enter again, but nobody counts how often: the inner end is the end. */
class OwnerTwice implements Strategy {

	private final StringRedisTemplate redis;

	private final RedisScript<Long> unlock = StrategySupport.script("unlock.lua");

	OwnerTwice(StrategySupport support) {
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
		String owner = customer.name();
		while (!Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent("lab:lock", owner, StrategySupport.LEASE))
				&& !owner.equals(this.redis.opsForValue().get("lab:lock"))) {
			customer.retry();
		}
	}

	private void unlock(Customer customer) {
		this.redis.execute(this.unlock, List.of("lab:lock"), customer.name());
	}

}
