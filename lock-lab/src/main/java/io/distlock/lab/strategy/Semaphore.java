package io.distlock.lab.strategy;

import java.util.List;

import io.distlock.DistributedSemaphore;
import io.distlock.LockContext;
import io.distlock.OnLost;
import io.distlock.redis.RedisLockStore;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** Three may be inside at a time, over all nodes; a script takes the item. */
class Semaphore implements Strategy {

	private final StringRedisTemplate shelf;

	private final RedisScript<Long> takeOne = StrategySupport.script("take_one.lua");

	Semaphore(StrategySupport support) {
		this.shelf = support.shelf();
	}

	static Strategy create(StrategySupport support) {
		return support.bean(Semaphore.class,
				new RedisLockStore(support.connections(), GuardedOnRedis.settings(support)));
	}

	@Override
	@DistributedSemaphore(name = "lab", permits = "3", waitTime = "60s", onLost = OnLost.INTERRUPT)
	public boolean sell(Customer customer) {
		return customer.buyInOneStep(() -> {
			LockContext.current().orElseThrow().ensureHeld();
			return this.shelf.execute(this.takeOne, List.of("lab:stock")).intValue();
		});
	}

}
