package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnLost;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStore;

/** The guarded annotation, its locks on a majority of three Redis servers. */
class GuardedOnRedlock implements Strategy {

	static Strategy create(StrategySupport support) {
		RedlockSettings settings = RedlockSettings.builder()
			.commandTimeout(StrategySupport.LEASE.dividedBy(4))
			.nodeTimeout(StrategySupport.LEASE.dividedBy(16))
			// A server that forgot its locks grants none until they have run out.
			.quarantine(StrategySupport.LEASE)
			.build();
		return support.bean(GuardedOnRedlock.class, new RedlockStore(support.quorum(), settings));
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s", onLost = OnLost.INTERRUPT)
	public boolean sell(Customer customer) {
		return customer.buy(() -> LockContext.current().orElseThrow().ensureHeld());
	}

}
