package io.distlock.lab.strategy;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** The hash with the count, renewed by a timer as long as the customer is inside. */
class HashCountRenewed implements Strategy {

	private final StringRedisTemplate redis;

	private final ScheduledExecutorService timer;

	private final RedisScript<Long> lock = StrategySupport.script("hash_lock.lua");

	private final RedisScript<Long> renew = StrategySupport.script("hash_renew.lua");

	private final RedisScript<Long> unlock = StrategySupport.script("hash_unlock.lua");

	HashCountRenewed(StrategySupport support) {
		this.redis = support.redis();
		this.timer = support.timer();
	}

	@Override
	public boolean sell(Customer customer) {
		String owner = customer.name();
		long lease = StrategySupport.LEASE.toMillis();
		while (this.redis.execute(this.lock, List.of("lab:lock"), owner, Long.toString(lease)) == 0) {
			customer.retry();
		}
		ScheduledFuture<?> renewal = this.timer.scheduleAtFixedRate(
				() -> this.redis.execute(this.renew, List.of("lab:lock"), owner, Long.toString(lease)), lease / 3,
				lease / 3, TimeUnit.MILLISECONDS);
		try {
			return customer.buy();
		}
		finally {
			renewal.cancel(false);
			this.redis.execute(this.unlock, List.of("lab:lock"), owner);
		}
	}

}
