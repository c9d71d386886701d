package io.distlock.spi;

import java.time.Duration;

import io.distlock.Holder;

/**
 * One attempt to acquire a lock. Repeating it is harmless: it polls a queued request,
 * confirms a granted one and is refused for one that ended.
 * <p>
 * A lock is held by one alone, or by several of one kind, sharers or those with a permit.
 * A request is granted only if no live request was queued before it, and
 * <ul>
 * <li>to be held alone: if there is no valid hold;</li>
 * <li>shared: if there is none but shared ones;</li>
 * <li>with one of n permits: if there are none but with permits, and fewer than n. The n
 * of the request that asks counts, so that processes may disagree while n is
 * changed.</li>
 * </ul>
 * So one that waits to hold the lock alone keeps out those who share and come later.
 *
 * @param key the lock
 * @param request who asks
 * @param lease how long the lock is to be held without renewal
 * @param sharing with whom it may be held
 * @param queue whether to stay in the store's queue when somebody else holds the lock;
 * otherwise a refusal ends the request
 * @param tokens how many consecutive fencing tokens to reserve, at least 1
 * @param timeout how long the engine waits for the answer; a copy of the command that
 * arrives later must not take the lock
 * @param holder metadata for messages; its {@code since} is ignored
 */
public record AcquireCommand(String key, RequestId request, Duration lease, Sharing sharing, boolean queue, int tokens,
		Duration timeout, Holder holder) {
}
