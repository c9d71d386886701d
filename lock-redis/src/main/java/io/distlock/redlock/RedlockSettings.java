package io.distlock.redlock;

import java.time.Duration;

import io.distlock.redis.RedisLockStoreSettings;

/**
 * How a {@link RedlockStore} asks its nodes.
 *
 * @param prefix what all keys begin with, the same for all who share locks
 * @param commandTimeout how long the engine waits for an answer; a node that is silent
 * for three times as long is connected to anew
 * @param nodeTimeout how long to wait for a node; at most a third of the command timeout,
 * because an acquisition asks the nodes twice
 * @param quarantine for how long a node that lost its data grants no locks; no lease may
 * be longer. Zero for never, which lets two hold a lock after a node lost its data
 * @param retryInterval how long a waiter pauses at the most before it asks again
 */
public record RedlockSettings(String prefix, Duration commandTimeout, Duration nodeTimeout, Duration quarantine,
		Duration retryInterval) {

	/** Prefix {@code lk:}, quarantine and so the longest lease 30 s. */
	public static final RedlockSettings DEFAULTS = new RedlockSettings("lk:", Duration.ofSeconds(1),
			Duration.ofMillis(250), Duration.ofSeconds(30), Duration.ofMillis(200));

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException naming the value that is out of range
	 */
	public RedlockSettings {
		if (nodeTimeout.toMillis() < 1 || nodeTimeout.multipliedBy(3).compareTo(commandTimeout) > 0) {
			throw new IllegalArgumentException(
					"Node timeout must be between 1 ms and a third of the command timeout of "
							+ commandTimeout.toMillis() + " ms, was " + nodeTimeout.toMillis() + " ms");
		}
		if (quarantine.isNegative()) {
			throw new IllegalArgumentException("Quarantine must not be negative, was " + quarantine);
		}
		if (retryInterval.toMillis() < 1) {
			throw new IllegalArgumentException("Retry interval must be at least 1 ms, was " + retryInterval);
		}
	}

	/**
	 * Replaces the prefix.
	 * @param prefix the prefix
	 * @return a copy
	 */
	public RedlockSettings withPrefix(String prefix) {
		return new RedlockSettings(prefix, this.commandTimeout, this.nodeTimeout, this.quarantine, this.retryInterval);
	}

	/**
	 * Replaces both timeouts.
	 * @param commandTimeout the command timeout
	 * @param nodeTimeout the timeout of a node
	 * @return a copy
	 */
	public RedlockSettings withTimeouts(Duration commandTimeout, Duration nodeTimeout) {
		return new RedlockSettings(this.prefix, commandTimeout, nodeTimeout, this.quarantine, this.retryInterval);
	}

	/**
	 * Replaces the quarantine.
	 * @param quarantine at least the longest lease in use, or zero for none
	 * @return a copy
	 */
	public RedlockSettings withQuarantine(Duration quarantine) {
		return new RedlockSettings(this.prefix, this.commandTimeout, this.nodeTimeout, quarantine, this.retryInterval);
	}

	/**
	 * Replaces the retry interval.
	 * @param retryInterval how long a waiter pauses at the most
	 * @return a copy
	 */
	public RedlockSettings withRetryInterval(Duration retryInterval) {
		return new RedlockSettings(this.prefix, this.commandTimeout, this.nodeTimeout, this.quarantine, retryInterval);
	}

	/** What a node is used with. */
	RedisLockStoreSettings node() {
		Duration keep = RedisLockStoreSettings.DEFAULTS.withCommandTimeout(this.commandTimeout).keep();
		// Nobody queues on a node: the times of a queue are only not to be in the way.
		return new RedisLockStoreSettings(this.prefix, Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3),
				keep, this.commandTimeout, this.quarantine, RedisLockStoreSettings.Replicas.NONE);
	}

}
