package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnLost;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;

/** The guarded annotation, its locks in ZooKeeper. */
class GuardedOnZooKeeper implements Strategy {

	static Strategy create(StrategySupport support) {
		ZooKeeperLockStoreSettings settings = ZooKeeperLockStoreSettings.builder()
			.sessionTimeout(StrategySupport.LEASE)
			.commandTimeout(StrategySupport.LEASE.dividedBy(4))
			.build();
		return support.bean(GuardedOnZooKeeper.class, new ZooKeeperLockStore(support.zookeeper(), settings));
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s", onLost = OnLost.INTERRUPT)
	public boolean sell(Customer customer) {
		return customer.buy(() -> LockContext.current().orElseThrow().ensureHeld());
	}

}
