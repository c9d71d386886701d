package io.distlock;

import java.time.Duration;
import java.util.Objects;

/**
 * What a lock template assumes when a request does not say.
 *
 * @param waitTime how long to wait for a busy lock, zero or more
 * @param leaseTime lease of a lock without one of its own, renewed at a third of it
 * @param commandTimeout how long the store may take to answer before
 * {@link LockStoreException}; at most a third of the lease
 * @param release when a release returns
 * @param maxWaiters how many callers may wait for one lock in this process, from 1
 * @param application name shown to those who find a lock busy
 * @param host host shown to those who find a lock busy
 * @param policy what is done about holds that go wrong
 */
public record LockSettings(Duration waitTime, Duration leaseTime, Duration commandTimeout, ReleaseMode release,
		int maxWaiters, String application, String host, HoldPolicy policy) {

	/**
	 * Waits 5 s, leases for 30 s, gives the store 1 s, confirms releases, and lets any
	 * number wait.
	 */
	public static final LockSettings DEFAULTS = new LockSettings(Duration.ofSeconds(5), Duration.ofSeconds(30),
			Duration.ofSeconds(1), ReleaseMode.CONFIRMED, Integer.MAX_VALUE, "application", "localhost",
			HoldPolicy.DEFAULTS);

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException naming the value that is out of range
	 */
	public LockSettings {
		Objects.requireNonNull(release, "'release' must not be null");
		Objects.requireNonNull(application, "'application' must not be null");
		Objects.requireNonNull(host, "'host' must not be null");
		Objects.requireNonNull(policy, "'policy' must not be null");
		if (waitTime.isNegative()) {
			throw new IllegalArgumentException(
					"Wait time must not be negative, was " + waitTime + ": use 0 for a single attempt");
		}
		if (leaseTime.compareTo(LockRequest.MIN_LEASE) < 0 || leaseTime.compareTo(LockRequest.MAX_LEASE) > 0) {
			throw new IllegalArgumentException("Lease time must be between " + LockRequest.MIN_LEASE + " and "
					+ LockRequest.MAX_LEASE + ", was " + leaseTime);
		}
		if (commandTimeout.isNegative() || commandTimeout.isZero()
				|| commandTimeout.multipliedBy(3).compareTo(leaseTime) > 0) {
			throw new IllegalArgumentException(
					"Command timeout must be more than 0 and at most a third of the lease time (" + leaseTime
							+ "), was " + commandTimeout);
		}
		if (maxWaiters < 1) {
			throw new IllegalArgumentException("Max waiters must be at least 1, was " + maxWaiters);
		}
	}

	/**
	 * Creates settings that only report a loss.
	 * @param waitTime how long to wait for a busy lock
	 * @param leaseTime lease of a lock without one of its own
	 * @param commandTimeout how long the store may take to answer
	 * @param release when a release returns
	 * @param maxWaiters how many callers may wait for one lock in this process
	 * @param application name shown to those who find a lock busy
	 * @param host host shown to those who find a lock busy
	 */
	public LockSettings(Duration waitTime, Duration leaseTime, Duration commandTimeout, ReleaseMode release,
			int maxWaiters, String application, String host) {
		this(waitTime, leaseTime, commandTimeout, release, maxWaiters, application, host, HoldPolicy.DEFAULTS);
	}

	/**
	 * Replaces the wait time.
	 * @param waitTime zero or more
	 * @return a copy
	 */
	public LockSettings withWaitTime(Duration waitTime) {
		return new LockSettings(waitTime, this.leaseTime, this.commandTimeout, this.release, this.maxWaiters,
				this.application, this.host, this.policy);
	}

	/**
	 * Replaces the lease time and lowers the command timeout to a third of it if need be.
	 * @param leaseTime the lease
	 * @return a copy
	 */
	public LockSettings withLeaseTime(Duration leaseTime) {
		Duration third = leaseTime.dividedBy(3);
		Duration timeout = (this.commandTimeout.compareTo(third) > 0) ? third : this.commandTimeout;
		return new LockSettings(this.waitTime, leaseTime, timeout, this.release, this.maxWaiters, this.application,
				this.host, this.policy);
	}

	/**
	 * Replaces the command timeout.
	 * @param commandTimeout the timeout
	 * @return a copy
	 */
	public LockSettings withCommandTimeout(Duration commandTimeout) {
		return new LockSettings(this.waitTime, this.leaseTime, commandTimeout, this.release, this.maxWaiters,
				this.application, this.host, this.policy);
	}

	/**
	 * Replaces the release mode.
	 * @param release when a release returns
	 * @return a copy
	 */
	public LockSettings withRelease(ReleaseMode release) {
		return new LockSettings(this.waitTime, this.leaseTime, this.commandTimeout, release, this.maxWaiters,
				this.application, this.host, this.policy);
	}

	/**
	 * Replaces the limit of waiters.
	 * @param maxWaiters from 1
	 * @return a copy
	 */
	public LockSettings withMaxWaiters(int maxWaiters) {
		return new LockSettings(this.waitTime, this.leaseTime, this.commandTimeout, this.release, maxWaiters,
				this.application, this.host, this.policy);
	}

	/**
	 * Replaces what is done about holds that go wrong.
	 * @param policy what requests fall back to
	 * @return a copy
	 */
	public LockSettings withPolicy(HoldPolicy policy) {
		return new LockSettings(this.waitTime, this.leaseTime, this.commandTimeout, this.release, this.maxWaiters,
				this.application, this.host, policy);
	}

}
