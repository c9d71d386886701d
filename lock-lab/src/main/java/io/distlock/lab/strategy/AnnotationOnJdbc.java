package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnLost;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;

/** The annotation of the starter, its locks in a table. */
class AnnotationOnJdbc implements Strategy {

	static Strategy create(Kit kit) {
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder().commandTimeout(Kit.LEASE.dividedBy(4)).build();
		return kit.bean(AnnotationOnJdbc.class, new JdbcLockStore(kit.database(), settings));
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s", onLost = OnLost.INTERRUPT)
	public boolean sell(Customer customer) {
		return customer.buy(() -> LockContext.current().orElseThrow().ensureHeld());
	}

}
