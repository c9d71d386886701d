package io.distlock.redis.protocol;

import java.time.Duration;

/**
 * The times of a lock's queue in Redis.
 *
 * @param pollInterval how often a queued request is repeated
 * @param waiterTtl how long a queued request lives without being repeated
 * @param keep how long the end of a request is remembered
 */
public record QueueTimes(Duration pollInterval, Duration waiterTtl, Duration keep) {

	/**
	 * Returns the shortest claim. A shorter one would be over before a poll finds the
	 * grant whose message got lost.
	 * @return three times the poll interval
	 */
	public Duration leastClaim() {
		// Each acquisition asks for it, and a Duration multiplies by means of BigDecimal.
		return Duration.ofNanos(3 * this.pollInterval.toNanos());
	}

	/**
	 * Returns the claim of a request: the lease of its pushed grant until its owner
	 * confirms it. A process that was just granted the lock may pause for that time. A
	 * process that has died keeps the others waiting for that time.
	 * @param lease the lease that it asks for
	 * @return a third of the lease in milliseconds, within the limits of a claim
	 */
	long claimMillis(Duration lease) {
		long longest = this.keep.toMillis() - this.waiterTtl.toMillis();
		return Math.max(leastClaim().toMillis(), Math.min(lease.toMillis() / 3, longest));
	}

}
