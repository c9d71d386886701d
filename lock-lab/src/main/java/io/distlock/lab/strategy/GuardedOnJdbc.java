package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnLost;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;

/** The guarded annotation, its locks in a table. */
class GuardedOnJdbc implements Strategy {

	static Strategy create(StrategySupport support) {
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder()
			.commandTimeout(StrategySupport.LEASE.dividedBy(4))
			.build();
		return support.bean(GuardedOnJdbc.class, new JdbcLockStore(support.database(), settings));
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s", onLost = OnLost.INTERRUPT)
	public boolean sell(Customer customer) {
		return customer.buy(() -> LockContext.current().orElseThrow().ensureHeld());
	}

}
