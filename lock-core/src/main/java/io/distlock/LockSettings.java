package io.distlock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import io.distlock.support.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a lock template, among them the defaults for requests that leave an option
 * open. Immutable; created by {@link #builder()}.
 */
public final class LockSettings {

	/**
	 * The default settings: a wait time of 5 s, a lease of 30 s and a command timeout of
	 * 1 s. Releases are confirmed, losses are reported, and any number of callers may
	 * wait.
	 */
	public static final LockSettings DEFAULTS = builder().build();

	private final LockOptions options;

	private final Duration waitTime;

	private final Duration leaseTime;

	private final int maxWaiters;

	private final Duration commandTimeout;

	private final ReleaseMode release;

	private final String application;

	private final String host;

	private final LockRequest.@Nullable WaitLimit waitLimit;

	private LockSettings(Builder builder) {
		this.options = builder.options;
		this.waitTime = Objects.requireNonNull(this.options.waitTime());
		this.leaseTime = Objects.requireNonNull(this.options.leaseTime());
		this.maxWaiters = Objects.requireNonNull(this.options.maxWaiters());
		this.options.violation().ifPresent((violation) -> {
			throw new IllegalArgumentException(violation.describe(""));
		});
		this.commandTimeout = (builder.commandTimeout != null) ? builder.commandTimeout
				: defaultCommandTimeout(this.leaseTime);
		if (this.commandTimeout.isNegative() || this.commandTimeout.isZero()
				|| this.commandTimeout.multipliedBy(3).compareTo(this.leaseTime) > 0) {
			throw new IllegalArgumentException(
					"Command timeout must be more than 0 and at most a third of the lease time ("
							+ DurationText.of(this.leaseTime) + "), was " + DurationText.of(this.commandTimeout));
		}
		this.release = builder.release;
		this.application = builder.application;
		this.host = builder.host;
		this.waitLimit = builder.waitLimit;
	}

	private static Duration defaultCommandTimeout(Duration leaseTime) {
		Duration third = leaseTime.dividedBy(3);
		Duration second = Duration.ofSeconds(1);
		return (second.compareTo(third) < 0) ? second : third;
	}

	/**
	 * Creates a builder that starts with the {@link #DEFAULTS}.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the defaults for what requests leave open.
	 * @return the options; wait time, lease time, max waiters and the reaction to a loss
	 * are set; the maximum hold is set if the builder has one; all others are open
	 */
	public LockOptions options() {
		return this.options;
	}

	/**
	 * Returns how long to wait for a busy lock.
	 * @return zero or more
	 */
	public Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * Returns what limits the wait of every request.
	 * @return the limit, empty if there is none
	 */
	public Optional<LockRequest.WaitLimit> waitLimit() {
		return Optional.ofNullable(this.waitLimit);
	}

	/**
	 * Returns the lease of a lock without a fixed lease. The lock is renewed after each
	 * third of this time.
	 * @return from {@link LockRequest#MIN_LEASE} to {@link LockRequest#MAX_LEASE}
	 */
	public Duration leaseTime() {
		return this.leaseTime;
	}

	/**
	 * Returns how many callers may wait for one lock in this process.
	 * @return at least 1
	 */
	public int maxWaiters() {
		return this.maxWaiters;
	}

	/**
	 * Returns how long the store may take to answer before {@link LockStoreException} is
	 * thrown.
	 * @return more than zero, at most a third of the lease time
	 */
	public Duration commandTimeout() {
		return this.commandTimeout;
	}

	/**
	 * Returns when a release returns to its caller.
	 * @return the mode
	 */
	public ReleaseMode release() {
		return this.release;
	}

	/**
	 * Returns the name of the application that messages about a busy lock show.
	 * @return the name
	 */
	public String application() {
		return this.application;
	}

	/**
	 * Returns the name of the host that messages about a busy lock show.
	 * @return the name
	 */
	public String host() {
		return this.host;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof LockSettings that && this.options.equals(that.options)
				&& this.commandTimeout.equals(that.commandTimeout) && this.release == that.release
				&& this.application.equals(that.application) && this.host.equals(that.host)
				&& Objects.equals(this.waitLimit, that.waitLimit));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.options, this.commandTimeout, this.release, this.application, this.host,
				this.waitLimit);
	}

	@Override
	public String toString() {
		return "LockSettings[" + this.options + ", commandTimeout=" + this.commandTimeout + ", release=" + this.release
				+ ", application=" + this.application + ", host=" + this.host
				+ ((this.waitLimit != null) ? ", waitLimit=" + this.waitLimit : "") + "]";
	}

	/** Collects settings. */
	public static final class Builder {

		private LockOptions options = LockOptions.NONE.withWaitTime(Duration.ofSeconds(5))
			.withLeaseTime(Duration.ofSeconds(30))
			.withMaxWaiters(Integer.MAX_VALUE)
			.withOnLost(OnLost.REPORT);

		private @Nullable Duration commandTimeout;

		private ReleaseMode release = ReleaseMode.CONFIRMED;

		private String application = "application";

		private String host = "localhost";

		private LockRequest.@Nullable WaitLimit waitLimit;

		private Builder() {
		}

		/**
		 * Sets how long to wait for a busy lock. The default is 5 s.
		 * @param waitTime zero or more, zero for a single attempt
		 * @return this builder
		 */
		public Builder waitTime(Duration waitTime) {
			this.options = this.options.withWaitTime(Objects.requireNonNull(waitTime, "'waitTime' must not be null"));
			return this;
		}

		/**
		 * Limits the wait of every request, also of one that sets a longer wait time, as
		 * {@link LockRequest#limitWait} does. For tests, which should not wait as long as
		 * an application. By default there is no limit.
		 * @param limit zero for a single attempt
		 * @param reason what sets the limit, for the message of the refusal
		 * @return this builder
		 * @throws IllegalArgumentException if negative
		 */
		public Builder limitWait(Duration limit, String reason) {
			LockOptions.NONE.withWaitTime(limit).violation().ifPresent((violation) -> {
				throw new IllegalArgumentException(violation.describe(""));
			});
			this.waitLimit = new LockRequest.WaitLimit(limit, reason);
			return this;
		}

		/**
		 * Sets the lease of a lock without a fixed lease. The lock is renewed after each
		 * third of this time. The default is 30 s.
		 * @param leaseTime from {@link LockRequest#MIN_LEASE} to
		 * {@link LockRequest#MAX_LEASE}
		 * @return this builder
		 */
		public Builder leaseTime(Duration leaseTime) {
			this.options = this.options
				.withLeaseTime(Objects.requireNonNull(leaseTime, "'leaseTime' must not be null"));
			return this;
		}

		/**
		 * Sets how many callers may wait for one lock in this process. A single attempt
		 * counts too, until the store has answered it, and is refused if so many callers
		 * wait already. By default any number of callers may wait.
		 * @param maxWaiters at least 1
		 * @return this builder
		 */
		public Builder maxWaiters(int maxWaiters) {
			this.options = this.options.withMaxWaiters(maxWaiters);
			return this;
		}

		/**
		 * Sets what happens to a running body when its lock is lost. The default is
		 * {@link OnLost#REPORT}.
		 * @param onLost the choice
		 * @return this builder
		 */
		public Builder onLost(OnLost onLost) {
			Objects.requireNonNull(onLost, "'onLost' must not be null");
			this.options = this.options.withOnLost((onLost != OnLost.DEFAULT) ? onLost : OnLost.REPORT);
			return this;
		}

		/**
		 * Sets the expected maximum hold time; see {@link LockRequest#maxHold}. By
		 * default there is no maximum.
		 * @param maxHold more than zero, or {@code null} for no maximum
		 * @return this builder
		 */
		public Builder maxHold(@Nullable Duration maxHold) {
			this.options = this.options.withMaxHold(maxHold);
			return this;
		}

		/**
		 * Sets how long the store may take to answer. The default is 1 s, or a third of
		 * the lease time if that is less.
		 * @param commandTimeout more than zero, at most a third of the lease time;
		 * {@code null} for the default
		 * @return this builder
		 */
		public Builder commandTimeout(@Nullable Duration commandTimeout) {
			this.commandTimeout = commandTimeout;
			return this;
		}

		/**
		 * Sets when a release returns to its caller. The default is
		 * {@link ReleaseMode#CONFIRMED}.
		 * @param release the mode
		 * @return this builder
		 */
		public Builder release(ReleaseMode release) {
			this.release = Objects.requireNonNull(release, "'release' must not be null");
			return this;
		}

		/**
		 * Sets the name of the application that messages about a busy lock show.
		 * @param application the name
		 * @return this builder
		 */
		public Builder application(String application) {
			this.application = Objects.requireNonNull(application, "'application' must not be null");
			return this;
		}

		/**
		 * Sets the name of the host that messages about a busy lock show.
		 * @param host the name
		 * @return this builder
		 */
		public Builder host(String host) {
			this.host = Objects.requireNonNull(host, "'host' must not be null");
			return this;
		}

		/**
		 * Creates the settings.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of range; the message names
		 * it
		 */
		public LockSettings build() {
			return new LockSettings(this);
		}

	}

}
