package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnLost;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;

/** The guarded annotation, its locks in Redis. */
class GuardedOnRedis implements Strategy {

	static Strategy create(StrategySupport support) {
		return support.bean(GuardedOnRedis.class, new RedisLockStore(support.connections(), settings(support)));
	}

	static RedisLockStoreSettings settings(StrategySupport support) {
		RedisLockStoreSettings.Builder settings = RedisLockStoreSettings.builder()
			.commandTimeout(StrategySupport.LEASE.dividedBy(4))
			// A server that forgot its locks grants none until they have run out.
			.quarantine(StrategySupport.LEASE);
		// Nor does a new master, which may not know the last one.
		return (support.failsOver() ? settings.failoverDelay(StrategySupport.LEASE) : settings).build();
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s", onLost = OnLost.INTERRUPT)
	public boolean sell(Customer customer) {
		return customer.buy(() -> LockContext.current().orElseThrow().ensureHeld());
	}

}
