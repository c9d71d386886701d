package io.distlock.spring;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.distlock.LockRequest;

/**
 * The times of one lock, where they differ from the template's defaults.
 *
 * @param waitTime how long to wait for the lock, or {@code null} for the default
 * @param leaseTime a fixed lease that is not renewed, or {@code null} for the default
 * lease, renewed while held
 */
public record LockTiming(@Nullable Duration waitTime, @Nullable Duration leaseTime) {

	/** Nothing differs. */
	static final LockTiming DEFAULTS = new LockTiming(null, null);

	LockTiming overriddenBy(LockTiming other) {
		return new LockTiming((other.waitTime != null) ? other.waitTime : this.waitTime,
				(other.leaseTime != null) ? other.leaseTime : this.leaseTime);
	}

	LockRequest applyTo(LockRequest request) {
		LockRequest timed = (this.waitTime != null) ? request.waitAtMost(this.waitTime) : request;
		return (this.leaseTime != null) ? timed.leaseFor(this.leaseTime) : timed;
	}

}
