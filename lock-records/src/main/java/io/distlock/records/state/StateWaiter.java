package io.distlock.records.state;

import io.distlock.Holder;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;

/**
 * A request in the queue.
 *
 * @param request the request
 * @param incarnation the incarnation of the request's process
 * @param sharing the requested sharing of the lock
 * @param tokens the requested number of fencing tokens
 * @param leaseMillis the requested lease
 * @param aliveUntil the time from which the instance counts as dead unless it repeats the
 * request; {@link StateHold#OPEN} if the instance is alive as long as its session
 * @param holder metadata
 */
record StateWaiter(RequestId request, String incarnation, Sharing sharing, int tokens, long leaseMillis,
		long aliveUntil, Holder holder) {

	boolean isAlive(StoreTime time) {
		return this.aliveUntil > time.now() && !time.gone().test(this.incarnation);
	}

}
