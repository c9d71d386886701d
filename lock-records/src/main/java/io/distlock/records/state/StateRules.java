package io.distlock.records.state;

import io.distlock.records.place.RecordTraits.Lifetime;

/**
 * Contains what differs between stores that run the same state machine. Times are in
 * milliseconds.
 *
 * @param lifetime what ends a hold that no command finishes
 * @param graceMillis how long a hold still excludes others after its end
 * @param waiterMillis how long a queued request counts as alive after its last repetition
 * @param placeMillis by how much longer it counts as alive for each request before it, so
 * that a long line is not kept up by writes alone
 * @param refreshMillis the remaining life of a queued request below which the store
 * records a repetition
 * @param keepMillis how long the end of a request is remembered
 * @param maxWaiters the length of the queue; further requests are answered as queued but
 * get no place
 * @param remembersRefusals whether a refused request is remembered as ended
 */
public record StateRules(Lifetime lifetime, long graceMillis, long waiterMillis, long placeMillis, long refreshMillis,
		long keepMillis, int maxWaiters, boolean remembersRefusals) {

	static final long POLL_MILLIS = 500;

	/** How long a queued or claimed request of a silent instance lasts. */
	private static final long LIFETIME_MILLIS = 10_000;

	/**
	 * The rules of the in-memory store. It executes each command immediately and exactly
	 * once.
	 */
	public static final StateRules MEMORY = new StateRules(Lifetime.CLOCK, 0, 2000, 0, Long.MAX_VALUE, Long.MAX_VALUE,
			Integer.MAX_VALUE, true);

	/**
	 * Returns the lease of a pushed grant before its confirmation. The granted process
	 * may pause for this time. If the process has died, the others wait for this time.
	 * @param leaseMillis the requested lease
	 */
	long claimMillis(long leaseMillis) {
		long longest = LIFETIME_MILLIS - this.waiterMillis;
		// A waiter never pauses for half of its time, or it would not count as alive.
		long least = this.waiterMillis / 2 + POLL_MILLIS;
		return Math.max(least, Math.min(leaseMillis / 3, longest));
	}

	/** Returns how long a request counts as alive with this many requests before it. */
	long aliveMillis(int before) {
		return this.waiterMillis + this.placeMillis * before;
	}

	/**
	 * Returns whether the store's clock ends holds.
	 * @return {@code false} if sessions do
	 */
	public boolean byClock() {
		return this.lifetime == Lifetime.CLOCK;
	}

}
