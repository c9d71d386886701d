package com.example.prices;

import io.distlock.DistributedLock;
import io.distlock.OnBusy;

/** What the page about tests tests. */
class Prices {

	@DistributedLock(name = "prices", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "false")
	public boolean refresh() {
		return true;
	}

}
