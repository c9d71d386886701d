package io.distlock.lab.strategy;

import org.springframework.data.redis.core.StringRedisTemplate;

/** SET NX EX in one command, and DEL at the end, whose lock it ever is by then. */
class BlindDelete implements Strategy {

	private final StringRedisTemplate redis;

	BlindDelete(StrategySupport support) {
		this.redis = support.redis();
	}

	@Override
	public boolean sell(Customer customer) {
		while (!Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent("lab:lock", "1", StrategySupport.LEASE))) {
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
