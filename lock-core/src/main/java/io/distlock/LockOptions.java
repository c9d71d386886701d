package io.distlock;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import io.distlock.support.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * The options of one lock. Each of them may be left open. The same options can be written
 * in a {@link LockRequest}, in an annotation, in the configuration of one lock name and
 * in the {@link LockSettings} of a template; {@link #orElse} combines them.
 * <p>
 * This record does not check the values, because only the caller knows where they were
 * written. {@link #violation()} names the first value that is out of range.
 *
 * @param waitTime how long to wait for a busy lock; zero or more, zero for a single
 * attempt
 * @param leaseTime the lease, from {@link LockRequest#MIN_LEASE} to
 * {@link LockRequest#MAX_LEASE}. In a request, an annotation and the configuration of one
 * lock name it is a fixed lease, which is not renewed. In {@link LockSettings} it is the
 * lease of all locks without a fixed one, which is renewed
 * @param maxWaiters how many callers may wait for the lock in one process, at least 1
 * @param onLost what happens to the running body when the lock is lost
 * @param maxHold after what time a hold is reported once as too long, more than zero; the
 * lock is still renewed
 * @param minHold how long the lock stays taken even if the body ends earlier, from zero
 * to {@link LockRequest#MAX_LEASE}
 * @param onStoreFailure what an annotated method does when the store cannot answer; a
 * {@link LockTemplate} always fails in this case
 * @param permits how many callers may hold the key at the same time, from 1 to
 * {@link LockRequest#MAX_PERMITS}; left open for a lock
 */
public record LockOptions(@Nullable Duration waitTime, @Nullable Duration leaseTime, @Nullable Integer maxWaiters,
		@Nullable OnLost onLost, @Nullable Duration maxHold, @Nullable Duration minHold,
		@Nullable OnStoreFailure onStoreFailure, @Nullable Integer permits) {

	/** Leaves everything open. */
	public static final LockOptions NONE = new LockOptions(null, null, null, null, null, null, null, null);

	private static final String UP_TO_MAX_LEASE = " and " + LockRequest.MAX_LEASE.toDays() + "d";

	/**
	 * Creates options. The {@code with} methods of {@link #NONE} set them by name.
	 * {@link OnLost#DEFAULT} and {@link OnStoreFailure#DEFAULT} mean the same as
	 * {@code null}.
	 * @param waitTime how long to wait
	 * @param leaseTime the lease
	 * @param maxWaiters how many callers may wait
	 * @param onLost what happens at a loss
	 * @param maxHold after what time a hold is reported
	 * @param minHold how long the lock stays taken
	 * @param onStoreFailure what an annotated method does when the store cannot answer
	 * @param permits how many callers may hold the key
	 */
	public LockOptions {
		onLost = (onLost != OnLost.DEFAULT) ? onLost : null;
		onStoreFailure = (onStoreFailure != OnStoreFailure.DEFAULT) ? onStoreFailure : null;
	}

	/**
	 * Fills in what these options leave open.
	 * @param defaults values to take instead
	 * @return the combined options
	 */
	public LockOptions orElse(LockOptions defaults) {
		if (this == NONE) {
			return defaults;
		}
		return new LockOptions(either(this.waitTime, defaults.waitTime), either(this.leaseTime, defaults.leaseTime),
				either(this.maxWaiters, defaults.maxWaiters), either(this.onLost, defaults.onLost),
				either(this.maxHold, defaults.maxHold), either(this.minHold, defaults.minHold),
				either(this.onStoreFailure, defaults.onStoreFailure), either(this.permits, defaults.permits));
	}

	private static <T> @Nullable T either(@Nullable T first, @Nullable T second) {
		return (first != null) ? first : second;
	}

	/**
	 * Returns a copy with another wait time.
	 * @param waitTime the wait time, {@code null} to leave it open
	 * @return the copy
	 */
	public LockOptions withWaitTime(@Nullable Duration waitTime) {
		return new LockOptions(waitTime, this.leaseTime, this.maxWaiters, this.onLost, this.maxHold, this.minHold,
				this.onStoreFailure, this.permits);
	}

	/**
	 * Returns a copy with another lease.
	 * @param leaseTime the lease, {@code null} to leave it open
	 * @return the copy
	 */
	public LockOptions withLeaseTime(@Nullable Duration leaseTime) {
		return new LockOptions(this.waitTime, leaseTime, this.maxWaiters, this.onLost, this.maxHold, this.minHold,
				this.onStoreFailure, this.permits);
	}

	/**
	 * Returns a copy with another limit of waiting callers.
	 * @param maxWaiters the limit, {@code null} to leave it open
	 * @return the copy
	 */
	public LockOptions withMaxWaiters(@Nullable Integer maxWaiters) {
		return new LockOptions(this.waitTime, this.leaseTime, maxWaiters, this.onLost, this.maxHold, this.minHold,
				this.onStoreFailure, this.permits);
	}

	/**
	 * Returns a copy with another reaction to a loss.
	 * @param onLost the choice, {@code null} to leave it open
	 * @return the copy
	 */
	public LockOptions withOnLost(@Nullable OnLost onLost) {
		return new LockOptions(this.waitTime, this.leaseTime, this.maxWaiters, onLost, this.maxHold, this.minHold,
				this.onStoreFailure, this.permits);
	}

	/**
	 * Returns a copy with another expected maximum hold time.
	 * @param maxHold the time, {@code null} to leave it open
	 * @return the copy
	 */
	public LockOptions withMaxHold(@Nullable Duration maxHold) {
		return new LockOptions(this.waitTime, this.leaseTime, this.maxWaiters, this.onLost, maxHold, this.minHold,
				this.onStoreFailure, this.permits);
	}

	/**
	 * Returns a copy with another minimum hold.
	 * @param minHold the time, {@code null} to leave it open
	 * @return the copy
	 */
	public LockOptions withMinHold(@Nullable Duration minHold) {
		return new LockOptions(this.waitTime, this.leaseTime, this.maxWaiters, this.onLost, this.maxHold, minHold,
				this.onStoreFailure, this.permits);
	}

	/**
	 * Returns a copy with another reaction to a store that cannot answer.
	 * @param onStoreFailure the choice, {@code null} to leave it open
	 * @return the copy
	 */
	public LockOptions withOnStoreFailure(@Nullable OnStoreFailure onStoreFailure) {
		return new LockOptions(this.waitTime, this.leaseTime, this.maxWaiters, this.onLost, this.maxHold, this.minHold,
				onStoreFailure, this.permits);
	}

	/**
	 * Returns a copy with another number of permits.
	 * @param permits the number, {@code null} to leave it open
	 * @return the copy
	 */
	public LockOptions withPermits(@Nullable Integer permits) {
		return new LockOptions(this.waitTime, this.leaseTime, this.maxWaiters, this.onLost, this.maxHold, this.minHold,
				this.onStoreFailure, permits);
	}

	/**
	 * Checks the values.
	 * @return the first value that is out of range, empty if there is none
	 */
	public Optional<Violation> violation() {
		// Runs for each request, so it uses no streams and no objects for valid values.
		if (this.waitTime != null && this.waitTime.isNegative()) {
			return violation(Option.WAIT_TIME, DurationText.of(this.waitTime));
		}
		if (this.leaseTime != null && (this.leaseTime.compareTo(LockRequest.MIN_LEASE) < 0
				|| this.leaseTime.compareTo(LockRequest.MAX_LEASE) > 0)) {
			return violation(Option.LEASE_TIME, DurationText.of(this.leaseTime));
		}
		if (this.maxWaiters != null && this.maxWaiters < 1) {
			return violation(Option.MAX_WAITERS, this.maxWaiters.toString());
		}
		if (this.maxHold != null && this.maxHold.compareTo(Duration.ZERO) <= 0) {
			return violation(Option.MAX_HOLD, DurationText.of(this.maxHold));
		}
		if (this.minHold != null && (this.minHold.isNegative() || this.minHold.compareTo(LockRequest.MAX_LEASE) > 0)) {
			return violation(Option.MIN_HOLD, DurationText.of(this.minHold));
		}
		if (this.permits != null && (this.permits < 1 || this.permits > LockRequest.MAX_PERMITS)) {
			return violation(Option.PERMITS, this.permits.toString());
		}
		return Optional.empty();
	}

	private static Optional<Violation> violation(Option option, String value) {
		return Optional.of(new Violation(option, value));
	}

	/** An option that has a range, with the words that describe it. */
	public enum Option {

		/** {@link LockOptions#waitTime()}. */
		WAIT_TIME("Wait time", "waitTime", "must not be negative", "Use 0 for a single attempt"),

		/** {@link LockOptions#leaseTime()}. */
		LEASE_TIME("Lease time", "leaseTime",
				"must be between " + DurationText.of(LockRequest.MIN_LEASE) + UP_TO_MAX_LEASE,
				"Set it to how long the lock may outlive a process that died, for instance 30s, or leave it out"),

		/** {@link LockOptions#maxWaiters()}. */
		MAX_WAITERS("Max waiters", "maxWaiters", "must be at least 1",
				"Set it to how many callers may wait for one lock in one process, or leave it out. To try once "
						+ "without waiting, use a wait time of 0"),

		/** {@link LockOptions#maxHold()}. */
		MAX_HOLD("Max hold", "maxHold", "must be more than 0",
				"Set it to the time after which a hold is worth a warning, or leave it out"),

		/** {@link LockOptions#minHold()}. */
		MIN_HOLD("Min hold", "minHold", "must be between 0" + UP_TO_MAX_LEASE,
				"Set it to how far the clocks of the machines may be apart, for instance 30s, or leave it out"),

		/** {@link LockOptions#permits()}. */
		PERMITS("Permits", "permits", "must be between 1 and " + LockRequest.MAX_PERMITS,
				"Set it to how many callers may hold a permit at the same time");

		private final String title;

		private final String attribute;

		private final String rule;

		private final String fix;

		Option(String title, String attribute, String rule, String fix) {
			this.title = title;
			this.attribute = attribute;
			this.rule = rule;
			this.fix = fix;
		}

		/**
		 * Returns the name of the annotation's attribute.
		 * @return for instance {@code waitTime}
		 */
		public String attribute() {
			return this.attribute;
		}

		/**
		 * Returns the last part of the property's name.
		 * @return for instance {@code wait-time}
		 */
		public String property() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

	/**
	 * A value that is out of range.
	 *
	 * @param option the option
	 * @param value the value, as text
	 */
	public record Violation(Option option, String value) {

		/**
		 * Returns the range.
		 * @return a clause without subject: {@code must not be negative}
		 */
		public String rule() {
			return this.option.rule;
		}

		/**
		 * Returns how to correct the value.
		 * @return a sentence without full stop
		 */
		public String fix() {
			return this.option.fix;
		}

		/**
		 * Describes the violation for an exception.
		 * @param of the lock, as {@code " of lock 'stock:42'"}, or an empty text
		 * @return for instance
		 * {@code Wait time of lock 'stock:42' must not be negative, was -1s. Use 0 for a single attempt}
		 */
		String describe(String of) {
			return this.option.title + of + " " + rule() + ", was " + this.value + ". " + fix();
		}

	}

}
