package io.distlock.spring;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.distlock.LockRequest;
import io.distlock.OnLost;
import io.distlock.OnStoreFailure;

/**
 * What of one lock differs from the template's defaults.
 *
 * @param waitTime how long to wait for the lock, or {@code null} for the default
 * @param leaseTime a fixed lease that is not renewed, or {@code null} for the default
 * lease, renewed while held
 * @param maxWaiters how many callers may wait in this process, or {@code null} for the
 * default
 * @param onLost what happens to the running body when the lock is lost, or {@code null}
 * for the default
 * @param maxHold how long a body may hold the lock before that is told of, or
 * {@code null} for the default
 * @param minHold how long the lock stays taken even if the body ends earlier, or
 * {@code null} for the default
 * @param onStoreFailure what to do when the store cannot answer, or {@code null} for the
 * default
 * @param permits how many may hold a semaphore at the same time, or {@code null} for what
 * its annotation says; not for locks
 */
public record LockTuning(@Nullable Duration waitTime, @Nullable Duration leaseTime, @Nullable Integer maxWaiters,
		@Nullable OnLost onLost, @Nullable Duration maxHold, @Nullable Duration minHold,
		@Nullable OnStoreFailure onStoreFailure, @Nullable Integer permits) {

	/** Nothing differs. */
	public static final LockTuning DEFAULTS = new LockTuning(null, null, null, null, null, null, null, null);

	public LockTuning overriddenBy(LockTuning other) {
		return new LockTuning((other.waitTime != null) ? other.waitTime : this.waitTime,
				(other.leaseTime != null) ? other.leaseTime : this.leaseTime,
				(other.maxWaiters != null) ? other.maxWaiters : this.maxWaiters,
				(other.onLost != null) ? other.onLost : this.onLost,
				(other.maxHold != null) ? other.maxHold : this.maxHold,
				(other.minHold != null) ? other.minHold : this.minHold,
				(other.onStoreFailure != null) ? other.onStoreFailure : this.onStoreFailure,
				(other.permits != null) ? other.permits : this.permits);
	}

	/** What is not about times or permits, nor said by the other one. */
	public LockTuning without(LockTuning other) {
		return new LockTuning(null, null, (other.maxWaiters == null) ? this.maxWaiters : null,
				(other.onLost == null) ? this.onLost : null, (other.maxHold == null) ? this.maxHold : null,
				(other.minHold == null) ? this.minHold : null,
				(other.onStoreFailure == null) ? this.onStoreFailure : null, null);
	}

	public LockRequest applyTo(LockRequest request) {
		LockRequest tuned = (this.waitTime != null) ? request.waitAtMost(this.waitTime) : request;
		tuned = (this.leaseTime != null) ? tuned.leaseFor(this.leaseTime) : tuned;
		tuned = (this.onLost != null) ? tuned.onLost(this.onLost) : tuned;
		tuned = (this.maxHold != null) ? tuned.maxHold(this.maxHold) : tuned;
		tuned = (this.permits != null) ? tuned.permits(this.permits) : tuned;
		tuned = (this.minHold != null) ? tuned.holdAtLeast(this.minHold) : tuned;
		return (this.maxWaiters != null) ? tuned.maxWaiters(this.maxWaiters) : tuned;
	}

}
