package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.redis.RedisLockStore;

/** The annotation, and a shelf that refuses to be written with an old token. */
class FencedWrites implements Strategy {

	static Strategy create(StrategySupport support) {
		return support.bean(FencedWrites.class,
				new RedisLockStore(support.connections(), GuardedOnRedis.settings(support)));
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s")
	public boolean sell(Customer customer) {
		return customer.buyFenced(LockContext.current().orElseThrow().fencingToken());
	}

}
