package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnLost;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;

/** The annotation of the starter, its locks in Redis. */
class AnnotationOnRedis implements Strategy {

	static Strategy create(Kit kit) {
		return kit.bean(AnnotationOnRedis.class, new RedisLockStore(kit.connections(), settings(kit)));
	}

	static RedisLockStoreSettings settings(Kit kit) {
		RedisLockStoreSettings.Builder settings = RedisLockStoreSettings.builder()
			.commandTimeout(Kit.LEASE.dividedBy(4))
			// A server that forgot its locks grants none until they have run out.
			.quarantine(Kit.LEASE);
		// Nor does a new master, which may not know the last one.
		return (kit.failsOver() ? settings.failoverDelay(Kit.LEASE) : settings).build();
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s", onLost = OnLost.INTERRUPT)
	public boolean sell(Customer customer) {
		return customer.buy(() -> LockContext.current().orElseThrow().ensureHeld());
	}

}
