package io.distlock.internal;

import io.distlock.LockOptions;
import io.distlock.spi.Sharing;

/**
 * What a waiter wants.
 *
 * @param lease how long to hold
 * @param sharing with whom
 * @param waitNanos how long to wait, zero for a single attempt
 * @param maxWaiters how many may wait in this process, itself included
 * @param caller where it asks from
 * @param options what else the request and the settings say
 */
record Wish(Lease lease, Sharing sharing, long waitNanos, int maxWaiters, String caller, LockOptions options) {

	/** To hold alone. */
	Wish(Lease lease, long waitNanos, int maxWaiters, String caller, LockOptions options) {
		this(lease, Sharing.EXCLUSIVE, waitNanos, maxWaiters, caller, options);
	}

}
