package io.distlock.lab.strategy;

import java.util.List;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** The lock knows its owner, and a script looks and deletes in one step. */
class OwnerAndLua implements Strategy {

	private final StringRedisTemplate redis;

	private final RedisScript<Long> unlock = StrategySupport.script("unlock.lua");

	OwnerAndLua(StrategySupport support) {
		this.redis = support.redis();
	}

	@Override
	public boolean sell(Customer customer) {
		String owner = customer.name();
		while (!Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent("lab:lock", owner, StrategySupport.LEASE))) {
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
