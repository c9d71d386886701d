package io.distlock.redis;

import java.time.Duration;
import java.util.Objects;

import io.distlock.redis.protocol.ServerClock;

/**
 * How a {@link RedisLockStore} names its keys and how it waits.
 *
 * @param prefix what all keys and channels begin with, the same for all who share locks
 * @param pollInterval how often a queued request is repeated, in case a message got lost
 * @param claim lease of a pushed grant until its owner confirms it, at least twice the
 * poll interval
 * @param waiterTtl how long a queued request lives without being repeated, at least three
 * times the poll interval
 * @param keep how long the end of a request is remembered, so that a late copy of it
 * cannot win; at least waiter ttl and claim together
 * @param commandTimeout how long a command may wait for a connection before it is given
 * up instead of sent late; shorter than keep
 * @param quarantine for how long no lock is granted after the server lost its data, at
 * least the longest lease in use, because holders from before may still believe in their
 * locks; zero for never, which is the only choice in a Cluster; the same for all who
 * share locks
 * @param replicas how many replicas must have a lock before it counts; not in a Cluster
 */
public record RedisLockStoreSettings(String prefix, Duration pollInterval, Duration claim, Duration waiterTtl,
		Duration keep, Duration commandTimeout, Duration quarantine, Replicas replicas) {

	/** Prefix {@code lk:}, polls every 500 ms, no quarantine, no replicas. */
	public static final RedisLockStoreSettings DEFAULTS = new RedisLockStoreSettings("lk:", Duration.ofMillis(500),
			Duration.ofMillis(1500), Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(1),
			Duration.ZERO, Replicas.NONE);

	/**
	 * How many replicas must have a lock before it counts.
	 *
	 * @param required how many; 0 for none
	 * @param timeout how long they may take
	 */
	public record Replicas(int required, Duration timeout) {

		/** No replica has to confirm. */
		public static final Replicas NONE = new Replicas(0, Duration.ofMillis(1));

		/**
		 * Checks the values.
		 * @throws IllegalArgumentException naming the value that is out of range
		 */
		public Replicas {
			if (required < 0) {
				throw new IllegalArgumentException("Required replicas must not be negative, were " + required);
			}
			// 0 would mean for ever.
			if (timeout.toMillis() < 1) {
				throw new IllegalArgumentException("Replica timeout must be at least 1 ms, was " + timeout);
			}
		}

		boolean isOff() {
			return this.required == 0;
		}

	}

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException naming the value that is out of range
	 */
	public RedisLockStoreSettings {
		Objects.requireNonNull(prefix, "'prefix' must not be null");
		if (prefix.isEmpty() || prefix.chars().anyMatch((c) -> c == '{' || c == '}' || Character.isISOControl(c))) {
			throw new IllegalArgumentException("Prefix must not be empty nor have braces, which pin all locks to one "
					+ "slot of a Cluster, nor control characters, was '" + prefix + "'");
		}
		if (pollInterval.toMillis() < 1) {
			throw new IllegalArgumentException("Poll interval must be at least 1 ms, was " + pollInterval);
		}
		// A grant would be over before a poll finds it, if its message got lost.
		requireAtLeast("Claim", claim, pollInterval.multipliedBy(2), "twice the poll interval");
		// A live waiter would be taken for dead when one poll is late.
		requireAtLeast("Waiter ttl", waiterTtl, pollInterval.multipliedBy(3), "three times the poll interval");
		// A copy of an ended request must not outlive the memory of its end.
		requireAtLeast("Keep", keep, waiterTtl.plus(claim), "waiter ttl and claim together");
		requireAtLeast("Keep", keep, commandTimeout.plus(ServerClock.SLACK), "the command timeout and a little more");
		if (commandTimeout.toMillis() < 1) {
			throw new IllegalArgumentException("Command timeout must be at least 1 ms, was " + commandTimeout);
		}
		if (quarantine.isNegative()) {
			throw new IllegalArgumentException("Quarantine must not be negative, was " + quarantine);
		}
		if (!quarantine.isZero()) {
			requireAtLeast("Quarantine", quarantine, claim, "the claim, which is a lease as well");
		}
		requireAtLeast("Command timeout", commandTimeout, replicas.timeout(), "the replica timeout");
	}

	/**
	 * Creates settings without quarantine and replicas.
	 * @param prefix what all keys and channels begin with
	 * @param pollInterval how often a queued request is repeated
	 * @param claim lease of a pushed grant
	 * @param waiterTtl how long a queued request lives without being repeated
	 * @param keep how long the end of a request is remembered
	 * @param commandTimeout how long a command may wait for a connection
	 */
	public RedisLockStoreSettings(String prefix, Duration pollInterval, Duration claim, Duration waiterTtl,
			Duration keep, Duration commandTimeout) {
		this(prefix, pollInterval, claim, waiterTtl, keep, commandTimeout, Duration.ZERO, Replicas.NONE);
	}

	/**
	 * Replaces the prefix.
	 * @param prefix the prefix
	 * @return a copy
	 */
	public RedisLockStoreSettings withPrefix(String prefix) {
		return new RedisLockStoreSettings(prefix, this.pollInterval, this.claim, this.waiterTtl, this.keep,
				this.commandTimeout, this.quarantine, this.replicas);
	}

	/**
	 * Replaces the poll interval, and scales claim, waiter ttl and keep with it.
	 * @param pollInterval the poll interval
	 * @return a copy
	 */
	public RedisLockStoreSettings withPollInterval(Duration pollInterval) {
		Duration scaledKeep = pollInterval.multipliedBy(20);
		Duration leastKeep = this.commandTimeout.plus(ServerClock.SLACK);
		return new RedisLockStoreSettings(this.prefix, pollInterval, pollInterval.multipliedBy(3),
				pollInterval.multipliedBy(4), (scaledKeep.compareTo(leastKeep) < 0) ? leastKeep : scaledKeep,
				this.commandTimeout, this.quarantine, this.replicas);
	}

	/**
	 * Replaces the command timeout, and raises keep and lowers the replica timeout if
	 * need be.
	 * @param commandTimeout the command timeout
	 * @return a copy
	 */
	public RedisLockStoreSettings withCommandTimeout(Duration commandTimeout) {
		Duration leastKeep = commandTimeout.plus(ServerClock.SLACK);
		return new RedisLockStoreSettings(this.prefix, this.pollInterval, this.claim, this.waiterTtl,
				(this.keep.compareTo(leastKeep) < 0) ? leastKeep : this.keep, commandTimeout, this.quarantine,
				(this.replicas.timeout().compareTo(commandTimeout) > 0)
						? new Replicas(this.replicas.required(), commandTimeout) : this.replicas);
	}

	/**
	 * Replaces the quarantine.
	 * @param quarantine at least the longest lease in use, or zero for none
	 * @return a copy
	 */
	public RedisLockStoreSettings withQuarantine(Duration quarantine) {
		return new RedisLockStoreSettings(this.prefix, this.pollInterval, this.claim, this.waiterTtl, this.keep,
				this.commandTimeout, quarantine, this.replicas);
	}

	/**
	 * Replaces the number of replicas, which may take half the command timeout.
	 * @param required how many replicas must have a lock before it counts
	 * @return a copy
	 */
	public RedisLockStoreSettings withReplicas(int required) {
		return withReplicas((required == 0) ? Replicas.NONE : new Replicas(required, this.commandTimeout.dividedBy(2)));
	}

	/**
	 * Replaces what replicas must confirm.
	 * @param replicas how many, and how long they may take, at most the command timeout
	 * @return a copy
	 */
	public RedisLockStoreSettings withReplicas(Replicas replicas) {
		return new RedisLockStoreSettings(this.prefix, this.pollInterval, this.claim, this.waiterTtl, this.keep,
				this.commandTimeout, this.quarantine, replicas);
	}

	private static void requireAtLeast(String name, Duration value, Duration least, String why) {
		if (value.compareTo(least) < 0) {
			throw new IllegalArgumentException(name + " must be at least " + least.toMillis() + " ms (" + why
					+ "), was " + value.toMillis() + " ms");
		}
	}

}
