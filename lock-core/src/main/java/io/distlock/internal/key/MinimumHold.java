package io.distlock.internal.key;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.LocalDeadline;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rest of a minimum hold: the last handle is closed, the lock has no owner, and it
 * stays taken until its time is over. The final renewal extends the lease to the whole
 * rest, so that the store keeps the lock for exactly that long if this process ends
 * meanwhile. Confined to the monitor of the key.
 *
 * @param hold the hold without an owner
 * @param until when it ends
 * @param outlivesLease whether the lease ends before, unless it is renewed
 */
record MinimumHold(Hold hold, long until, boolean outlivesLease) {

	private static final Logger logger = LoggerFactory.getLogger(MinimumHold.class);

	/**
	 * Keeps a hold whose last handle was closed, if its time is not over.
	 * @param hold the hold
	 * @param now the monotonic clock
	 * @return the rest, or {@code null} if the hold is to be released
	 */
	static @Nullable MinimumHold of(Hold hold, long now) {
		Duration minHold = hold.taker().minHold();
		if (minHold == null || hold.givenBack()) {
			return null;
		}
		long until = hold.acquiredNanos() + LocalDeadline.nanos(minHold);
		// mutant: minimum-over
		if (until - now <= 0) {
			return null;
		}
		hold.keep();
		Duration rest = rest(until, now);
		// mutant: minimum-renewal
		hold.lease().renewLast(rest, now);
		logger.debug("Lock '{}': stays taken for another {} ms", KeyText.of(hold.key()), rest.toMillis() - 1);
		return new MinimumHold(hold, until, until - hold.deadline() > 0);
	}

	/** Whole milliseconds, which are what stores count. */
	private static Duration rest(long until, long now) {
		return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(until - now) + 1);
	}

	/**
	 * Schedules the final renewal anew, to learn whether the store still has the hold.
	 */
	void confirm(long now) {
		// mutant: force-minimum
		if (!isOver(now)) {
			this.hold.lease().renewLast(rest(this.until, now), now);
		}
	}

	boolean isOver(long now) {
		// mutant: minimum-ends
		return this.until - now <= 0;
	}

	/** Whether the store has not confirmed the final renewal yet. */
	boolean unconfirmed() {
		return this.hold.lease().scheduled();
	}

	/**
	 * Returns whether a repetition of the final renewal still makes sense, and logs if
	 * not.
	 * @param now the monotonic clock
	 */
	boolean mayStillExtend(long now) {
		if (this.hold.deadline() - now > 0) {
			return true;
		}
		if (this.outlivesLease) {
			logger.warn("Lock '{}': could not extend the lease to the minimum hold; another process may acquire the "
					+ "lock early", KeyText.of(this.hold.key()));
		}
		return false;
	}

}
