package io.distlock.records.state;

import java.util.function.IntToLongFunction;

import io.distlock.records.place.RecordTraits.Lifetime;

/**
 * What differs between stores that run the same state machine. Times are in milliseconds.
 *
 * @param lifetime what ends a hold that is not finished
 * @param graceMillis for how long a hold still keeps others out after its end
 * @param waiterMillis for how long a queued request counts as alive after it was repeated
 * @param refreshMillis a repetition is written down only if the queued request would
 * count as dead sooner than this
 * @param keepMillis for how long the end of a request is remembered
 * @param maxWaiters further requests are answered as queued but have no place
 * @param remembersRefusals whether a refused request is remembered as ended
 * @param pollMillis by place in the queue, from 1: when to repeat a queued request
 */
public record StateRules(Lifetime lifetime, long graceMillis, long waiterMillis, long refreshMillis, long keepMillis,
		int maxWaiters, boolean remembersRefusals, IntToLongFunction pollMillis) {

	private static final long POLL_MILLIS = 500;

	private static final long LEAST_CLAIM_MILLIS = 3 * POLL_MILLIS;

	/** How long a request of an instance that is silent lasts: queued, then claimed. */
	private static final long LIFETIME_MILLIS = 10_000;

	/** The rules of the in-memory store, whose commands are executed at once and once. */
	public static final StateRules MEMORY = new StateRules(Lifetime.CLOCK, 0, 2000, Long.MAX_VALUE, Long.MAX_VALUE,
			Integer.MAX_VALUE, true, (place) -> POLL_MILLIS);

	/**
	 * Returns the lease of a pushed grant until it is confirmed. A process that was just
	 * granted the lock may pause for that time. A process that has died keeps the others
	 * waiting for that time.
	 * @param leaseMillis the lease that its request asks for
	 */
	long claimMillis(long leaseMillis) {
		long longest = LIFETIME_MILLIS - this.waiterMillis;
		return Math.max(LEAST_CLAIM_MILLIS, Math.min(leaseMillis / 3, longest));
	}

	/**
	 * Whether the store's clock ends holds.
	 * @return {@code false} if sessions do
	 */
	public boolean byClock() {
		return this.lifetime == Lifetime.CLOCK;
	}

}
