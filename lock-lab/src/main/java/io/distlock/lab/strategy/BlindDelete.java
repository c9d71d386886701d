package io.distlock.lab.strategy;

import org.springframework.data.redis.core.StringRedisTemplate;

/** SET NX EX in one command, and DEL at the end, whose lock it ever is by then. */
class BlindDelete implements Strategy {

	private final StringRedisTemplate redis;

	BlindDelete(Kit kit) {
		this.redis = kit.redis();
	}

	@Override
	public boolean sell(Customer customer) {
		while (!Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent("lab:lock", "1", Kit.LEASE))) {
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
