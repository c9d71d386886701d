package io.distlock.redis;

import java.time.Duration;
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
 * Holds the settings of a {@link RedisLockStore}: the names of its keys, and times. A
 * {@linkplain #builder() builder} derives values that are not set from those that are.
 *
 * @param keyPrefix the text with which all keys and channels begin, the same in all
 * processes that share locks
 * @param pollInterval how often a queued request is repeated, in case a message is lost
 * @param waiterTtl how long a queued request lives without being repeated
 * @param keep how long the end of a request is remembered, so that a late copy of the
 * request cannot acquire the lock
 * @param commandTimeout how long a command may wait for a connection before it fails
 * instead of being sent late
 * @param connectTimeout how much longer than the command timeout the first commands of a
 * process may take, until there is a connection
 * @param quarantine how long no lock is granted after the server lost its data, zero for
 * none
 * @param failoverDelay how long no lock is granted after another server became the
 * master, zero for none
 */
public record RedisLockStoreSettings(String keyPrefix, Duration pollInterval, Duration waiterTtl, Duration keep,
		Duration commandTimeout, Duration connectTimeout, Duration quarantine, Duration failoverDelay) {

	/** Key prefix {@code lk:}, polls every 500 ms, no quarantine. */
	public static final RedisLockStoreSettings DEFAULTS = builder().build();

	/**
	 * Checks the values. Applications use the {@linkplain #builder() builder}, because a
	 * further setting changes this constructor.
	 * @param keyPrefix the text with which all keys and channels begin
	 * @param pollInterval how often a queued request is repeated
	 * @param waiterTtl how long a queued request lives without being repeated
	 * @param keep how long the end of a request is remembered
	 * @param commandTimeout how long a command may wait for a connection
	 * @param connectTimeout how much longer the first commands may take
	 * @param quarantine how long no lock is granted after the server lost its data
	 * @param failoverDelay how long no lock is granted by a new master
	 * @throws IllegalArgumentException if a value is out of range, with its name and the
	 * limit
	 */
	public RedisLockStoreSettings {
		if (keyPrefix.isBlank()
				|| keyPrefix.chars().anyMatch((c) -> c == '{' || c == '}' || Character.isISOControl(c))) {
			throw new IllegalArgumentException(
					"Key prefix must not be blank nor contain braces, which pin all locks to "
							+ "one slot of a Cluster, nor control characters, was '" + ForeignText.of(keyPrefix) + "'");
		}
		requireAtLeast("Poll interval", pollInterval, Builder.LEAST, "the resolution");
		requireAtLeast("Command timeout", commandTimeout, Builder.LEAST, "the resolution");
		// Otherwise a live waiter would count as dead when one poll is late.
		requireAtLeast("Waiter ttl", waiterTtl, pollInterval.multipliedBy(3), "three times the poll interval");
		// A copy of an ended request must not outlive the memory of its end.
		requireAtLeast("Keep", keep, waiterTtl.plus(new QueueTimes(pollInterval, waiterTtl, keep).leastClaim()),
				"waiter ttl and three times the poll interval together");
		requireAtLeast("Keep", keep, Builder.leastKeep(commandTimeout), "the command timeout and a little more");
		requireNotNegative("Connect timeout", connectTimeout);
		requireNotNegative("Quarantine", quarantine);
		requireNotNegative("Failover delay", failoverDelay);
	}

	/**
	 * Starts with the defaults.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	KeyCodec names() {
		return new KeyCodec(this.keyPrefix);
	}

	QueueTimes times() {
		return new QueueTimes(this.pollInterval, this.waiterTtl, this.keep);
	}

	ClientSettings client() {
		return new ClientSettings(this.commandTimeout, this.connectTimeout);
	}

	Quarantine quarantineOf(KeyCodec names) {
		return this.failoverDelay.isZero() ? new Quarantine(this.quarantine, names.marker())
				: Quarantine.afterFailover(longer(this.failoverDelay, this.quarantine), names.master());
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

		private @Nullable Duration waiterTtl;

		private @Nullable Duration keep;

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
			Duration ttl = (this.waiterTtl != null) ? this.waiterTtl : this.pollInterval.multipliedBy(4);
			Duration kept = (this.keep != null) ? this.keep
					: longer(this.pollInterval.multipliedBy(20), leastKeep(this.commandTimeout));
			return new RedisLockStoreSettings(this.keyPrefix, this.pollInterval, ttl, kept, this.commandTimeout,
					this.connectTimeout, this.quarantine, this.failoverDelay);
		}

		private static Duration leastKeep(Duration commandTimeout) {
			return commandTimeout.plus(ServerClock.SLACK);
		}

	}

}
