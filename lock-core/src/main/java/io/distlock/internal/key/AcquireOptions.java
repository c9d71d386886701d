package io.distlock.internal.key;

import io.distlock.LockOptions;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Sharing;

/**
 * What a waiter wants: a request, completed by the settings.
 *
 * @param term how long to hold
 * @param sharing beside which other holds
 * @param waitNanos how long to wait, zero for a single attempt
 * @param maxWaiters how many may wait in this process, this one included
 * @param caller where it asks from
 * @param options what else the request and the settings say
 */
public record AcquireOptions(LeaseTerm term, Sharing sharing, long waitNanos, int maxWaiters, String caller,
		LockOptions options) {
}
