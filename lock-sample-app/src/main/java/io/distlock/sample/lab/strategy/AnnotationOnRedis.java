package io.distlock.sample.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.spi.LockStore;

/** The annotation of the starter, its locks in Redis. */
class AnnotationOnRedis implements Strategy {

	static Strategy create(Kit kit) {
		RedisLockStoreSettings.Builder settings = RedisLockStoreSettings.builder()
			.commandTimeout(Kit.LEASE.dividedBy(4));
		if (kit.failsOver()) {
			// What the old master granted may be unknown to the new one for as long.
			settings.failoverDelay(Kit.LEASE);
		}
		LockStore store = new RedisLockStore(kit.connections(), settings.build());
		return kit.bean(AnnotationOnRedis.class, store);
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s")
	public boolean sell(Customer customer) {
		return customer.buy(() -> LockContext.current().orElseThrow().ensureHeld());
	}

}
