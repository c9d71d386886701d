package io.distlock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What is done about a hold that goes wrong.
 *
 * @param onLost what happens to the running body when the lock is lost, or {@code null}
 * for the default: {@link OnLost#REPORT}
 * @param maxHold how long a body may hold the lock before it is told of, once, with a
 * warning and {@link LockListener#heldTooLong}; or {@code null} for the default: any
 * time. The lock is renewed all the same
 * @param minHold how long the lock stays taken even if the body ends earlier, or
 * {@code null} for the default: no longer than the body
 */
public record HoldPolicy(@Nullable OnLost onLost, @Nullable Duration maxHold, @Nullable Duration minHold) {

	/** Says nothing. */
	public static final HoldPolicy NONE = new HoldPolicy(null, null, null);

	/** Reports a loss and lets a body take any time. */
	public static final HoldPolicy DEFAULTS = new HoldPolicy(OnLost.REPORT, null, null);

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a body may not hold the lock at all
	 */
	public HoldPolicy {
		if (maxHold != null && (maxHold.isZero() || maxHold.isNegative())) {
			throw new IllegalArgumentException("Max hold must be more than 0, was " + maxHold);
		}
		if (minHold != null && (minHold.isNegative() || minHold.compareTo(LockRequest.MAX_LEASE) > 0)) {
			throw new IllegalArgumentException(
					"Min hold must be from 0 to " + LockRequest.MAX_LEASE + ", was " + minHold);
		}
	}

	/**
	 * Fills in what this one does not say.
	 * @param defaults what to take instead
	 * @return the policy that holds
	 */
	public HoldPolicy orElse(HoldPolicy defaults) {
		return new HoldPolicy((this.onLost != null) ? this.onLost : defaults.onLost,
				(this.maxHold != null) ? this.maxHold : defaults.maxHold,
				(this.minHold != null) ? this.minHold : defaults.minHold);
	}

	HoldPolicy with(OnLost onLost) {
		return new HoldPolicy(onLost, this.maxHold, this.minHold);
	}

	HoldPolicy withMaxHold(Duration maxHold) {
		return new HoldPolicy(this.onLost, maxHold, this.minHold);
	}

	HoldPolicy withMinHold(Duration minHold) {
		return new HoldPolicy(this.onLost, this.maxHold, minHold);
	}

}
