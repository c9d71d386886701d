package io.distlock.docs;

import io.distlock.DistributedLock;

/** To be extended in other packages. */
public class PackagePrivateLock {

	@DistributedLock
	void deduct() {
	}

}
