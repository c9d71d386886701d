package io.distlock.lab.strategy;

import org.springframework.data.redis.core.StringRedisTemplate;

/** A method with the lock calls another one that needs it too, and waits for itself. */
class SetnxTwice implements Strategy {

	private final StringRedisTemplate redis;

	SetnxTwice(StrategySupport support) {
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
			unlock();
		}
	}

	/** Nobody may change the price meanwhile. */
	private void lookUpPrice(Customer customer) {
		lock(customer);
		unlock();
	}

	private void lock(Customer customer) {
		while (!Boolean.TRUE.equals(this.redis.opsForValue().setIfAbsent("lab:lock", customer.name()))) {
			customer.retry();
		}
	}

	private void unlock() {
		this.redis.delete("lab:lock");
	}

}
