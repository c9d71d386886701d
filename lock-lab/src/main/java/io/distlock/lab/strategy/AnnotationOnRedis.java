package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;

/** The annotation of the starter and nothing else, its locks in Redis. */
class AnnotationOnRedis implements Strategy {

	static Strategy create(StrategySupport support) {
		return support.bean(AnnotationOnRedis.class,
				new RedisLockStore(support.connections(), RedisLockStoreSettings.DEFAULTS));
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s")
	public boolean sell(Customer customer) {
		return customer.buy();
	}

}
