package io.distlock.lab.strategy;

import org.springframework.data.redis.core.StringRedisTemplate;

/** SETNX, then EXPIRE: two commands with a gap between them. */
class SetnxExpire implements Strategy {

	private final StringRedisTemplate redis;

	SetnxExpire(StrategySupport support) {
		this.redis = support.redis();
	}

	@Override
	public boolean sell(Customer customer) {
		while (!Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent("lab:lock", "1"))) {
			customer.retry();
		}
		customer.between();
		this.redis.expire("lab:lock", StrategySupport.LEASE);
		try {
			return customer.buy();
		}
		finally {
			this.redis.delete("lab:lock");
		}
	}

}
