package io.distlock.lab.strategy;

import org.springframework.data.redis.core.StringRedisTemplate;

/** SETNX, and DEL at the end. */
class SetnxDel implements Strategy {

	private final StringRedisTemplate redis;

	SetnxDel(StrategySupport support) {
		this.redis = support.redis();
	}

	@Override
	public boolean sell(Customer customer) {
		while (!Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent("lab:lock", "1"))) {
			customer.retry();
		}
		try {
			return customer.buy();
		}
		finally {
			this.redis.delete("lab:lock");
		}
	}

}
