package io.distlock.records.state;

import io.distlock.Holder;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;

/**
 * A request in the queue.
 *
 * @param request the request
 * @param incarnation the incarnation of its process
 * @param sharing how it wants the lock
 * @param tokens how many fencing tokens it wants
 * @param leaseMillis the lease that it wants
 * @param aliveUntil when its instance counts as dead unless it repeats the request;
 * {@link StateHold#OPEN} if it counts as dead only with its session
 * @param holder metadata
 */
record StateWaiter(RequestId request, String incarnation, Sharing sharing, int tokens, long leaseMillis,
		long aliveUntil, Holder holder) {

	boolean isAlive(StoreTime time) {
		return this.aliveUntil > time.now() && !time.gone().test(this.incarnation);
	}

}
