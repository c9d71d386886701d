package io.distlock.redis.protocol;

import java.time.Duration;

/**
 * Holds the times of a lock's queue in Redis.
 *
 * @param pollInterval how often a queued request is repeated
 * @param waiterTtl how long a queued request lives without being repeated
 * @param keep how long the end of a request is remembered
 */
public record QueueTimes(Duration pollInterval, Duration waiterTtl, Duration keep) {

	/**
	 * Returns the shortest claim. A shorter claim would end before a poll finds the grant
	 * of a lost message.
	 * @return three times the poll interval
	 */
	public Duration leastClaim() {
		// Each acquisition calls this, and Duration multiplies slowly, with BigDecimal.
		return Duration.ofNanos(3 * this.pollInterval.toNanos());
	}

	/**
	 * Returns the claim of a request: the lease of its pushed grant until its owner
	 * confirms it. A process may pause for that time after a grant without losing it. A
	 * process that has died delays the other waiters by that time.
	 * @param lease the lease that the request asks for
	 * @return a third of the lease in milliseconds, within the limits of a claim
	 */
	long claimMillis(Duration lease) {
		long longest = this.keep.toMillis() - this.waiterTtl.toMillis();
		return Math.max(leastClaim().toMillis(), Math.min(lease.toMillis() / 3, longest));
	}

}
