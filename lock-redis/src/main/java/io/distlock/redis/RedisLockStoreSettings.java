package io.distlock.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.redis.protocol.QueueTimes;
import io.distlock.redis.protocol.ServerClock;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Holds the settings of a {@link RedisLockStore}: the names of its keys, and times.
 * Immutable; created by a {@linkplain #builder() builder}, which derives values that are
 * not set from those that are.
 */
public final class RedisLockStoreSettings {

	/** Key prefix {@code lk:}, polls every 500 ms, no quarantine, no replicas. */
	public static final RedisLockStoreSettings DEFAULTS = builder().build();

	private final String keyPrefix;

	private final QueueTimes times;

	private final Duration commandTimeout;

	private final Duration connectTimeout;

	private final Duration quarantine;

	private final Duration failoverDelay;

	private final int replicas;

	private final Duration replicaTimeout;

	private RedisLockStoreSettings(Builder builder) {
		this.keyPrefix = builder.keyPrefix;
		this.commandTimeout = builder.commandTimeout;
		this.times = builder.times();
		this.connectTimeout = builder.connectTimeout;
		this.quarantine = builder.quarantine;
		this.failoverDelay = builder.failoverDelay;
		this.replicas = builder.replicas;
		this.replicaTimeout = (builder.replicaTimeout != null) ? builder.replicaTimeout
				: longer(this.commandTimeout.dividedBy(2), Builder.LEAST);
		check();
	}

	/**
	 * Starts with the defaults.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the text with which all keys and channels begin.
	 * @return the prefix, the same in all processes that share locks
	 */
	public String keyPrefix() {
		return this.keyPrefix;
	}

	/**
	 * Returns how often a queued request is repeated, in case a message is lost.
	 * @return the poll interval
	 */
	public Duration pollInterval() {
		return this.times.pollInterval();
	}

	/**
	 * Returns how long a queued request lives without being repeated.
	 * @return the time to live of a waiter
	 */
	public Duration waiterTtl() {
		return this.times.waiterTtl();
	}

	/**
	 * Returns how long the end of a request is remembered, so that a late copy of the
	 * request cannot acquire the lock.
	 * @return the time
	 */
	public Duration keep() {
		return this.times.keep();
	}

	/**
	 * Returns how long a command may wait for a connection before it fails instead of
	 * being sent late.
	 * @return the command timeout
	 */
	public Duration commandTimeout() {
		return this.commandTimeout;
	}

	/**
	 * Returns how much longer than the command timeout the first commands of a process
	 * may take, until there is a connection.
	 * @return the connect timeout
	 */
	public Duration connectTimeout() {
		return this.connectTimeout;
	}

	/**
	 * Returns how long no lock is granted after the server lost its data.
	 * @return the quarantine, zero for none
	 */
	public Duration quarantine() {
		return this.quarantine;
	}

	/**
	 * Returns how long no lock is granted after another server became the master.
	 * @return the failover delay, zero for none
	 */
	public Duration failoverDelay() {
		return this.failoverDelay;
	}

	/**
	 * Returns how many replicas must have a lock before it counts.
	 * @return the number of replicas, 0 for none
	 */
	public int replicas() {
		return this.replicas;
	}

	/**
	 * Returns how long replicas may take to confirm a lock.
	 * @return the replica timeout
	 */
	public Duration replicaTimeout() {
		return this.replicaTimeout;
	}

	KeyCodec names() {
		return new KeyCodec(this.keyPrefix);
	}

	QueueTimes times() {
		return this.times;
	}

	ClientSettings client() {
		return new ClientSettings(this.commandTimeout, this.connectTimeout, this.replicas, this.replicaTimeout);
	}

	Quarantine quarantineOf(KeyCodec names) {
		return this.failoverDelay.isZero() ? new Quarantine(this.quarantine, names.marker())
				: Quarantine.afterFailover(longer(this.failoverDelay, this.quarantine), names.master());
	}

	private void check() {
		if (this.keyPrefix.isBlank()
				|| this.keyPrefix.chars().anyMatch((c) -> c == '{' || c == '}' || Character.isISOControl(c))) {
			throw new IllegalArgumentException(
					"Key prefix must not be blank nor contain braces, which pin all locks to "
							+ "one slot of a Cluster, nor control characters, was '" + ForeignText.of(this.keyPrefix)
							+ "'");
		}
		requireAtLeast("Poll interval", pollInterval(), Builder.LEAST, "the resolution");
		requireAtLeast("Command timeout", this.commandTimeout, Builder.LEAST, "the resolution");
		// Otherwise a live waiter would count as dead when one poll is late.
		requireAtLeast("Waiter ttl", waiterTtl(), pollInterval().multipliedBy(3), "three times the poll interval");
		// A copy of an ended request must not outlive the memory of its end.
		requireAtLeast("Keep", keep(), waiterTtl().plus(this.times.leastClaim()),
				"waiter ttl and three times the poll interval together");
		requireAtLeast("Keep", keep(), Builder.leastKeep(this.commandTimeout), "the command timeout and a little more");
		requireNotNegative("Connect timeout", this.connectTimeout);
		requireNotNegative("Quarantine", this.quarantine);
		requireNotNegative("Failover delay", this.failoverDelay);
		if (this.replicas < 0) {
			throw new IllegalArgumentException("Replicas must not be negative, was " + this.replicas);
		}
		// A timeout of 0 would mean for ever.
		requireAtLeast("Replica timeout", this.replicaTimeout, Builder.LEAST, "the resolution");
		requireAtLeast("Command timeout", this.commandTimeout, this.replicaTimeout, "the replica timeout");
	}

	private static void requireAtLeast(String name, Duration value, Duration least, String why) {
		if (value.compareTo(least) < 0) {
			throw new IllegalArgumentException(name + " must be at least " + DurationText.of(least) + " (" + why
					+ "), was " + DurationText.of(value));
		}
	}

	private static void requireNotNegative(String name, Duration value) {
		if (value.isNegative()) {
			throw new IllegalArgumentException(name + " must not be negative, was " + DurationText.of(value));
		}
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) >= 0) ? one : other;
	}

	private List<Object> values() {
		return List.of(this.keyPrefix, this.times, this.commandTimeout, this.connectTimeout, this.quarantine,
				this.failoverDelay, this.replicas, this.replicaTimeout);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RedisLockStoreSettings settings && values().equals(settings.values());
	}

	@Override
	public int hashCode() {
		return values().hashCode();
	}

	@Override
	public String toString() {
		return "RedisLockStoreSettings[keyPrefix=" + this.keyPrefix + ", times=" + this.times + ", commandTimeout="
				+ this.commandTimeout + ", connectTimeout=" + this.connectTimeout + ", quarantine=" + this.quarantine
				+ ", failoverDelay=" + this.failoverDelay + ", replicas=" + this.replicas + ", replicaTimeout="
				+ this.replicaTimeout + "]";
	}

	/**
	 * Collects settings. The order of the calls does not matter: values that are not set
	 * are derived when {@link #build()} is called.
	 */
	public static final class Builder {

		private static final Duration LEAST = Duration.ofMillis(1);

		private String keyPrefix = "lk:";

		private Duration pollInterval = Duration.ofMillis(500);

		private Duration commandTimeout = Duration.ofSeconds(1);

		private Duration connectTimeout = Duration.ofSeconds(5);

		private Duration quarantine = Duration.ZERO;

		private Duration failoverDelay = Duration.ZERO;

		private int replicas;

		private @Nullable Duration waiterTtl;

		private @Nullable Duration keep;

		private @Nullable Duration replicaTimeout;

		private Builder() {
		}

		/**
		 * Sets the text with which all keys and channels begin.
		 * @param keyPrefix the prefix, the same in all processes that share locks; not
		 * blank, without braces and control characters
		 * @return this builder
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = Objects.requireNonNull(keyPrefix, "'keyPrefix' must not be null");
			return this;
		}

		/**
		 * Sets how often a queued request is repeated, in case a message is lost.
		 * @param pollInterval the poll interval, at least 1 ms
		 * @return this builder
		 */
		public Builder pollInterval(Duration pollInterval) {
			this.pollInterval = Objects.requireNonNull(pollInterval, "'pollInterval' must not be null");
			return this;
		}

		/**
		 * Sets how long a command may wait for a connection before it fails instead of
		 * being sent late. Set it to the command timeout of the lock template: if the
		 * template waits for less time, callers do not send commands themselves.
		 * @param commandTimeout the command timeout, at least 1 ms
		 * @return this builder
		 */
		public Builder commandTimeout(Duration commandTimeout) {
			this.commandTimeout = Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
			return this;
		}

		/**
		 * Sets how much longer than the command timeout the first commands of a process
		 * may take, until there is a connection. The default is 5 s.
		 * @param connectTimeout the connect timeout; with zero, connecting counts against
		 * the command timeout
		 * @return this builder
		 */
		public Builder connectTimeout(Duration connectTimeout) {
			this.connectTimeout = Objects.requireNonNull(connectTimeout, "'connectTimeout' must not be null");
			return this;
		}

		/**
		 * Sets how long no lock is granted after the server lost its data, because
		 * earlier holders may still believe in their locks.
		 * @param quarantine at least the longest lease in use, the same in all processes
		 * that share locks; zero for none, which is the only choice in a Cluster
		 * @return this builder
		 */
		public Builder quarantine(Duration quarantine) {
			this.quarantine = Objects.requireNonNull(quarantine, "'quarantine' must not be null");
			return this;
		}

		/**
		 * Sets how long no lock is granted after another server became the master,
		 * because the former master may have granted locks that the new one does not
		 * know. Works with a single server, with Sentinel and with Cluster. The delay
		 * includes a {@linkplain #quarantine quarantine} of the same length.
		 * @param failoverDelay at least the longest lease in use, plus 10 s for processes
		 * that learn of the change late; zero for none; the same in all processes that
		 * share locks
		 * @return this builder
		 */
		public Builder failoverDelay(Duration failoverDelay) {
			this.failoverDelay = Objects.requireNonNull(failoverDelay, "'failoverDelay' must not be null");
			return this;
		}

		/**
		 * Sets how many replicas must have a lock before it counts.
		 * @param replicas the number of replicas; 0 for none, which is the only choice in
		 * a Cluster
		 * @return this builder
		 */
		public Builder replicas(int replicas) {
			this.replicas = replicas;
			return this;
		}

		/**
		 * Sets how long replicas may take to confirm a lock. The default is half the
		 * command timeout.
		 * @param replicaTimeout the replica timeout, from 1 ms to the command timeout
		 * @return this builder
		 */
		public Builder replicaTimeout(Duration replicaTimeout) {
			this.replicaTimeout = Objects.requireNonNull(replicaTimeout, "'replicaTimeout' must not be null");
			return this;
		}

		/**
		 * Sets how long a queued request lives without being repeated. The default is
		 * four times the poll interval.
		 * @param waiterTtl the time to live, at least three times the poll interval
		 * @return this builder
		 */
		public Builder waiterTtl(Duration waiterTtl) {
			this.waiterTtl = Objects.requireNonNull(waiterTtl, "'waiterTtl' must not be null");
			return this;
		}

		/**
		 * Sets how long the end of a request is remembered, so that a late copy of the
		 * request cannot acquire the lock. The default is 20 times the poll interval, or
		 * a little more than the command timeout if that is longer.
		 * @param keep the time: at least the waiter's time to live plus three times the
		 * poll interval, and longer than the command timeout
		 * @return this builder
		 */
		public Builder keep(Duration keep) {
			this.keep = Objects.requireNonNull(keep, "'keep' must not be null");
			return this;
		}

		/**
		 * Derives the values that are not set, and checks all of them.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of range, with its name and
		 * the limit
		 */
		public RedisLockStoreSettings build() {
			return new RedisLockStoreSettings(this);
		}

		private QueueTimes times() {
			return new QueueTimes(this.pollInterval,
					(this.waiterTtl != null) ? this.waiterTtl : this.pollInterval.multipliedBy(4), (this.keep != null)
							? this.keep : longer(this.pollInterval.multipliedBy(20), leastKeep(this.commandTimeout)));
		}

		private static Duration leastKeep(Duration commandTimeout) {
			return commandTimeout.plus(ServerClock.SLACK);
		}

	}

}
