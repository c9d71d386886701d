package io.distlock.redlock;

import java.time.Duration;
import java.util.Objects;

import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.redis.protocol.QueueTimes;
import io.distlock.support.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Holds the settings of a {@link RedlockStore}. A {@linkplain #builder() builder} derives
 * values that are not set from those that are.
 *
 * @param keyPrefix the text with which all keys begin, the same in all processes that
 * share locks
 * @param commandTimeout how long the engine waits for an answer. A node that is silent
 * for three times as long gets a new connection
 * @param nodeTimeout how long to wait for a node, at most a third of the command timeout
 * @param connectTimeout how much longer the first calls may take, until a majority of the
 * nodes has answered. Later calls keep to the node timeout, even while the store
 * reconnects to a lost node
 * @param quarantine how long a node that lost its data grants no locks. No lease may be
 * longer. Zero means no quarantine and no such limit
 * @param retryInterval the longest pause of a waiter before it asks again, while no one
 * has held the lock for long
 */
public record RedlockSettings(String keyPrefix, Duration commandTimeout, Duration nodeTimeout, Duration connectTimeout,
		Duration quarantine, Duration retryInterval) {

	/** Key prefix {@code lk:}; the quarantine, and so the longest lease, is 30 s. */
	public static final RedlockSettings DEFAULTS = builder().build();

	/**
	 * Checks the values. Applications use the {@linkplain #builder() builder}, because a
	 * further setting changes this constructor.
	 * @param keyPrefix the text with which all keys begin
	 * @param commandTimeout how long the engine waits for an answer
	 * @param nodeTimeout how long to wait for a node
	 * @param connectTimeout how much longer the first calls may take
	 * @param quarantine how long a node that lost its data grants no locks
	 * @param retryInterval the longest pause of a waiter, while no one has held the lock
	 * for long
	 * @throws IllegalArgumentException if a value is out of range, with its name and the
	 * limit
	 */
	public RedlockSettings {
		if (nodeTimeout.toMillis() < 1 || nodeTimeout.multipliedBy(3).compareTo(commandTimeout) > 0) {
			throw new IllegalArgumentException("Node timeout must be between 1ms and a third of the command timeout of "
					+ DurationText.of(commandTimeout) + ", was " + DurationText.of(nodeTimeout));
		}
		if (retryInterval.toMillis() < 1) {
			throw new IllegalArgumentException(
					"Retry interval must be at least 1ms, was " + DurationText.of(retryInterval));
		}
		// Checks the settings that a node shares with a single server.
		node(keyPrefix, commandTimeout, connectTimeout, quarantine);
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
		RedisLockStoreSettings node = node();
		return new QueueTimes(node.pollInterval(), node.waiterTtl(), node.keep());
	}

	ClientSettings client() {
		return new ClientSettings(this.commandTimeout, this.connectTimeout);
	}

	Quarantine quarantineOf(KeyCodec names) {
		return new Quarantine(this.quarantine, names.marker());
	}

	/** Returns the settings of a single node. */
	RedisLockStoreSettings node() {
		return node(this.keyPrefix, this.commandTimeout, this.connectTimeout, this.quarantine);
	}

	private static RedisLockStoreSettings node(String keyPrefix, Duration commandTimeout, Duration connectTimeout,
			Duration quarantine) {
		RedisLockStoreSettings usual = RedisLockStoreSettings.builder().commandTimeout(commandTimeout).build();
		return RedisLockStoreSettings.builder()
			.keyPrefix(keyPrefix)
			.commandTimeout(commandTimeout)
			.connectTimeout(connectTimeout)
			.quarantine(quarantine)
			// Requests do not queue on a node, so the times of a queue are as short as
			// possible and limit nothing.
			.pollInterval(Duration.ofMillis(1))
			.waiterTtl(Duration.ofMillis(3))
			.keep(usual.keep())
			.build();
	}

	/**
	 * Collects settings. The order of the calls does not matter: values that are not set
	 * are derived when {@link #build()} is called.
	 */
	public static final class Builder {

		private String keyPrefix = RedisLockStoreSettings.DEFAULTS.keyPrefix();

		private Duration commandTimeout = RedisLockStoreSettings.DEFAULTS.commandTimeout();

		private @Nullable Duration nodeTimeout;

		private Duration connectTimeout = RedisLockStoreSettings.DEFAULTS.connectTimeout();

		private Duration quarantine = Duration.ofSeconds(30);

		private Duration retryInterval = Duration.ofMillis(200);

		private Builder() {
		}

		/**
		 * Sets the text with which all keys begin.
		 * @param keyPrefix the prefix, the same in all processes that share locks; not
		 * blank, without braces and control characters
		 * @return this builder
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = Objects.requireNonNull(keyPrefix, "'keyPrefix' must not be null");
			return this;
		}

		/**
		 * Sets how long the engine waits for an answer. A node that is silent for three
		 * times as long gets a new connection.
		 * @param commandTimeout the command timeout, at least three times the node
		 * timeout
		 * @return this builder
		 */
		public Builder commandTimeout(Duration commandTimeout) {
			this.commandTimeout = Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
			return this;
		}

		/**
		 * Sets how long to wait for a node. The default is a quarter of the command
		 * timeout.
		 * @param nodeTimeout the node timeout, from 1 ms to a third of the command
		 * timeout, because an acquisition asks the nodes twice
		 * @return this builder
		 */
		public Builder nodeTimeout(Duration nodeTimeout) {
			this.nodeTimeout = Objects.requireNonNull(nodeTimeout, "'nodeTimeout' must not be null");
			return this;
		}

		/**
		 * Sets how much longer the first calls may take, until a majority of the nodes
		 * has answered. The default is five seconds.
		 * @param connectTimeout the connect timeout; with zero, connecting counts against
		 * the node timeout
		 * @return this builder
		 */
		public Builder connectTimeout(Duration connectTimeout) {
			this.connectTimeout = Objects.requireNonNull(connectTimeout, "'connectTimeout' must not be null");
			return this;
		}

		/**
		 * Sets how long a node that lost its data grants no locks.
		 * @param quarantine the quarantine; no lease may be longer. Zero means none, and
		 * then two processes may hold a lock after a node lost its data
		 * @return this builder
		 */
		public Builder quarantine(Duration quarantine) {
			this.quarantine = Objects.requireNonNull(quarantine, "'quarantine' must not be null");
			return this;
		}

		/**
		 * Sets the longest pause of a waiter before it asks again. While one holder keeps
		 * the lock, a pause may also take a tenth of the time for which it has had it, at
		 * most 1.5 s.
		 * @param retryInterval the retry interval, at least 1 ms
		 * @return this builder
		 */
		public Builder retryInterval(Duration retryInterval) {
			this.retryInterval = Objects.requireNonNull(retryInterval, "'retryInterval' must not be null");
			return this;
		}

		/**
		 * Derives the values that are not set, and checks all of them.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of range, with its name and
		 * the limit
		 */
		public RedlockSettings build() {
			Duration forNodes = (this.nodeTimeout != null) ? this.nodeTimeout : this.commandTimeout.dividedBy(4);
			return new RedlockSettings(this.keyPrefix, this.commandTimeout, forNodes, this.connectTimeout,
					this.quarantine, this.retryInterval);
		}

	}

}
