package io.distlock.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;

import io.distlock.LockRequest;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.spring.LockTuning;

/** Ranges of property values, in the words of the one who wrote them. */
final class PropertyChecks {

	private PropertyChecks() {
	}

	static void notNegative(String property, @Nullable Duration value) {
		if (value != null && value.isNegative()) {
			throw wrong(property, value, "must not be negative", "Set it to 0 or more, for instance 5s.");
		}
	}

	static void lease(String property, @Nullable Duration value) {
		if (value != null
				&& (value.compareTo(LockRequest.MIN_LEASE) < 0 || value.compareTo(LockRequest.MAX_LEASE) > 0)) {
			throw wrong(
					property, value, "must be between " + describe(LockRequest.MIN_LEASE) + " and "
							+ LockRequest.MAX_LEASE.toDays() + "d",
					"Set it to how long a lock may outlive a process that died, for instance 30s.");
		}
	}

	static void commandTimeout(@Nullable Duration value, Duration leaseTime) {
		if (value != null && (value.isNegative() || value.isZero() || value.multipliedBy(3).compareTo(leaseTime) > 0)) {
			throw wrong("command-timeout", value,
					"must be more than 0 and at most a third of distributed-lock.lease-time, which is "
							+ describe(leaseTime),
					"Lower it to at most " + describe(leaseTime.dividedBy(3)) + " or raise the lease time.");
		}
	}

	static void tuning(String lock, LockTuning tuning) {
		notNegative("locks." + lock + ".wait-time", tuning.waitTime());
		lease("locks." + lock + ".lease-time", tuning.leaseTime());
		maxWaiters("locks." + lock + ".max-waiters", tuning.maxWaiters());
		maxHold("locks." + lock + ".max-hold", tuning.maxHold());
		permits("locks." + lock + ".permits", tuning.permits());
		minHold("locks." + lock + ".min-hold", tuning.minHold());
	}

	static void permits(String property, @Nullable Integer value) {
		if (value != null && (value < 1 || value > LockRequest.MAX_PERMITS)) {
			throw wrong(property, String.valueOf(value), "must be between 1 and " + LockRequest.MAX_PERMITS,
					"Set it to how many may run at the same time, or leave it out.");
		}
	}

	private static void minHold(String property, @Nullable Duration value) {
		if (value != null && (value.isNegative() || value.compareTo(LockRequest.MAX_LEASE) > 0)) {
			throw wrong(property, value, "must be between 0 and " + LockRequest.MAX_LEASE.toDays() + "d",
					"Set it to how far the clocks of the machines may be apart, for instance 30s.");
		}
	}

	static void maxHold(String property, @Nullable Duration value) {
		if (value != null && (value.isNegative() || value.isZero())) {
			throw wrong(property, value, "must be more than 0",
					"Set it to how long a method may hold a lock before that is told of, or leave it out.");
		}
	}

	/** A hold that outlives the quarantine would be granted to somebody else. */
	static void quarantine(@Nullable StoreType store, Duration value, String leaseProperty, @Nullable Duration lease) {
		if (lease != null && !value.isZero() && value.compareTo(lease) < 0) {
			throw wrong(((store == StoreType.REDLOCK) ? "redlock" : "redis") + ".quarantine", value,
					"must be at least the longest lease, and distributed-lock." + leaseProperty + " is "
							+ describe(lease),
					"Raise it to " + describe(lease) + " or more, or shorten the lease.");
		}
	}

	static void maxWaiters(String property, @Nullable Integer value) {
		if (value != null && value < 1) {
			throw wrong(property, String.valueOf(value), "must be at least 1",
					"Set it to how many callers may wait for one lock in one process, or leave it out. To try once "
							+ "without waiting, set the wait time to 0.");
		}
	}

	static void pollInterval(Duration value) {
		pause("redis.poll-interval", value);
	}

	static void pause(String property, Duration value) {
		if (value.toMillis() < 1) {
			throw wrong(property, value, "must be at least 1ms", "Set it to some 100ms, or leave it out.");
		}
	}

	static void replicas(@Nullable Integer required, @Nullable Duration timeout) {
		if (required != null && required < 1) {
			throw wrong("redis.replicas.required", String.valueOf(required), "must be at least 1",
					"Set it to the number of replicas that the master has, or leave it out to wait for none.");
		}
		if (timeout != null && timeout.toMillis() < 1) {
			throw wrong("redis.replicas.timeout", timeout, "must be at least 1ms",
					"Set it to some 100ms, or leave it out.");
		}
	}

	/** Braces would pin all locks to one slot of a Redis Cluster. */
	static void keyPrefix(String value) {
		if (value.isBlank() || value.chars().anyMatch((c) -> c == '{' || c == '}' || Character.isISOControl(c))) {
			throw wrong("redis.key-prefix", "'" + value + "'",
					"must not be blank nor have braces or control characters",
					"Set it to a short text such as shop:lock:, the same for all who share locks.");
		}
	}

	private static LockConfigurationException wrong(String property, Duration value, String rule, String action) {
		return wrong(property, describe(value), rule, action);
	}

	private static LockConfigurationException wrong(String property, String value, String rule, String action) {
		return new LockConfigurationException(
				"The property distributed-lock." + property + " is " + value + " but " + rule + ".", action);
	}

	private static String describe(Duration duration) {
		boolean seconds = duration.toMillisPart() == 0;
		return DurationStyle.SIMPLE.print(duration, seconds ? ChronoUnit.SECONDS : ChronoUnit.MILLIS);
	}

}
