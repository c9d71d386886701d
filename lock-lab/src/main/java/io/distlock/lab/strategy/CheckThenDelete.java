package io.distlock.lab.strategy;

import org.springframework.data.redis.core.StringRedisTemplate;

/** The lock knows its owner, who looks before deleting: GET, then DEL. */
class CheckThenDelete implements Strategy {

	private final StringRedisTemplate redis;

	CheckThenDelete(StrategySupport support) {
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
			if (owner.equals(this.redis.opsForValue().get("lab:lock"))) {
				customer.between();
				this.redis.delete("lab:lock");
			}
		}
	}

}
