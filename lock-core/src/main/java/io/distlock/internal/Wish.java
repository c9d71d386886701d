package io.distlock.internal;

import io.distlock.HoldPolicy;
import io.distlock.spi.Sharing;

/**
 * What a waiter wants.
 *
 * @param lease how long to hold
 * @param sharing with whom
 * @param waitNanos how long to wait, zero for a single attempt
 * @param maxWaiters how many may wait in this process, itself included
 * @param caller where it asks from
 * @param policy what to do if the hold goes wrong
 */
record Wish(Lease lease, Sharing sharing, long waitNanos, int maxWaiters, String caller, HoldPolicy policy) {

	/** To hold alone. */
	Wish(Lease lease, long waitNanos, int maxWaiters, String caller, HoldPolicy policy) {
		this(lease, Sharing.EXCLUSIVE, waitNanos, maxWaiters, caller, policy);
	}

}
