package io.distlock.boot.test;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnBusy;

/** Methods under locks, for tests of the tester. */
class Jobs {

	@DistributedLock(name = "job", key = "#name", waitTime = "30s")
	public String run(String name) {
		return LockContext.current().orElseThrow().key();
	}

	@DistributedLock(name = "nightly", key = "#name", onBusy = OnBusy.SKIP, skipValue = "false", minHold = "10m")
	public boolean nightly(String name) {
		return true;
	}

	@DistributedLock(name = "job", key = "#name")
	public void runWithin(String name, Runnable body) {
		body.run();
	}

}
