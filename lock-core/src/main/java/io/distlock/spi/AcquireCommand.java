package io.distlock.spi;

import java.time.Duration;

import io.distlock.Holder;
import io.distlock.support.KeyText;

/**
 * One attempt to acquire a lock. Repeating it is harmless. A repetition polls a queued
 * request and confirms a granted one. For a request that has ended, it is refused.
 * <p>
 * A lock has one exclusive hold, or several holds of one kind: shared ones, or permits. A
 * request is granted only if no live request was queued before it, and
 * <ul>
 * <li>exclusive: if there is no valid hold;</li>
 * <li>shared: if all valid holds are shared;</li>
 * <li>one of n permits: if there are only permits, and fewer than n of them. The n of the
 * request counts, so that processes may disagree while n is changed.</li>
 * </ul>
 * A waiting exclusive request therefore keeps out shared requests that come later.
 *
 * @param key the lock
 * @param request the request
 * @param lease how long the lock is to be held without renewal
 * @param sharing the other holds with which the hold may exist
 * @param queue whether to stay in the store's queue if the lock is busy; otherwise a
 * refusal ends the request
 * @param tokens how many consecutive fencing tokens to reserve, at least 1
 * @param timeout how long the engine waits for the answer; a copy of the command that
 * arrives later must not acquire the lock
 * @param holder metadata of the holder for messages; its {@code since} is ignored
 */
public record AcquireCommand(String key, RequestId request, Duration lease, Sharing sharing, boolean queue, int tokens,
		Duration timeout, Holder holder) {

	@Override
	public String toString() {
		return "AcquireCommand[key=" + KeyText.of(this.key) + ", request=" + this.request + ", lease=" + this.lease
				+ ", sharing=" + this.sharing + ", queue=" + this.queue + ", tokens=" + this.tokens + ", timeout="
				+ this.timeout + ", holder=" + this.holder + "]";
	}

}
