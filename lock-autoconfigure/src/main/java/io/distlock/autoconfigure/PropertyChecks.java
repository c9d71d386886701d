package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.distlock.LockOptions;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/** Checks the ranges of property values; messages name the property and the value. */
final class PropertyChecks {

	private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

	private static final Pattern KEY_PREFIX = Pattern.compile("[!-$&-~]{0,50}");

	/** ZooKeeper refuses control characters, surrogates and what is for private use. */
	private static final Pattern ZNODE = Pattern
		.compile("/|(/(?!\\.{1,2}(/|$))" + "[^/\\p{Cntrl}\\x{80}-\\x{9F}\\x{D800}-\\x{F8FF}\\x{FFF0}-\\x{10FFFF}]+)+");

	private static final int MOST_CONNECTIONS = 100;

	private PropertyChecks() {
	}

	static void notNegative(String property, @Nullable Duration value) {
		if (value != null && value.isNegative()) {
			throw wrong(property, value, "must not be negative", "Set it to 0 or more, for instance 5s.");
		}
	}

	/**
	 * Checks the options of one lock, or the defaults of all.
	 * @param prefix what precedes the names of the options
	 * @param options the options
	 */
	static void options(String prefix, LockOptions options) {
		options.violation().ifPresent((violation) -> {
			throw wrong(prefix + violation.option().property(), violation.value(), violation.rule(),
					violation.fix() + ".");
		});
	}

	static void fallback(String property, @Nullable String value) {
		if (value != null && value.isBlank()) {
			throw wrong(property, "'" + ForeignText.of(value) + "'", "must be the name of a method",
					"Name a method of the same class with the same parameters, or remove the property.");
		}
	}

	static void commandTimeout(@Nullable Duration value, Duration leaseTime) {
		if (value != null && (value.isNegative() || value.isZero() || value.multipliedBy(3).compareTo(leaseTime) > 0)) {
			throw wrong("command-timeout", value,
					"must be more than 0 and at most a third of distributed-lock.lease-time, which is "
							+ DurationText.of(leaseTime),
					"Lower it to at most " + DurationText.of(leaseTime.dividedBy(3)) + " or raise the lease time.");
		}
	}

	/** A lock that outlives the quarantine could be granted a second time. */
	static void quarantine(String property, Duration value, String leaseProperty, @Nullable Duration lease) {
		if (lease != null && !value.isZero() && value.compareTo(lease) < 0) {
			throw wrong(property, value,
					"must be at least the longest lease, and distributed-lock." + leaseProperty + " is "
							+ DurationText.of(lease),
					"Raise it to " + DurationText.of(lease) + " or more, or shorten the lease.");
		}
	}

	static void pause(String property, Duration value) {
		if (value.toMillis() < 1) {
			throw wrong(property, value, "must be at least 1ms", "Set it to some 100ms, or leave it out.");
		}
	}

	static void replicas(String path, @Nullable Integer required, @Nullable Duration timeout) {
		if (required != null && required < 1) {
			throw wrong(path + "redis.replicas.required", String.valueOf(required), "must be at least 1",
					"Set it to the number of replicas that the master has, or leave it out to wait for none.");
		}
		if (timeout != null && timeout.toMillis() < 1) {
			throw wrong(path + "redis.replicas.timeout", timeout, "must be at least 1ms",
					"Set it to some 100ms, or leave it out.");
		}
	}

	/** Braces would pin all locks to one slot of a Redis Cluster. */
	static void keyPrefix(String path, String value) {
		if (value.isBlank() || value.chars().anyMatch((c) -> c == '{' || c == '}' || Character.isISOControl(c))) {
			throw wrong(path + "redis.key-prefix", "'" + ForeignText.of(value) + "'",
					"must not be blank nor have braces or control characters",
					"Set it to a short text such as shop:lock:, the same for all applications that share locks.");
		}
	}

	static void between(String property, @Nullable Duration value, Duration least, Duration most) {
		if (value != null && (value.compareTo(least) < 0 || value.compareTo(most) > 0)) {
			throw wrong(property, value, "must be between " + DurationText.of(least) + " and " + DurationText.of(most),
					"Set it to a time in this range, or leave it out.");
		}
	}

	static void jdbcNames(String path, String table, String keyPrefix) {
		if (!TABLE.matcher(table).matches()) {
			throw wrong(path + "jdbc.table", "'" + ForeignText.of(table) + "'",
					"must be a plain name, with a schema before it or not", "Set it to a name such as shop.locks.");
		}
		if (!KEY_PREFIX.matcher(keyPrefix).matches()) {
			throw wrong(path + "jdbc.key-prefix", "'" + ForeignText.of(keyPrefix) + "'",
					"must be at most 50 printable ASCII characters without blank and %",
					"Set it to a short text such as shop:, the same for all applications that share locks.");
		}
	}

	static void jdbcConnections(String path, int value) {
		if (value < 1 || value > MOST_CONNECTIONS) {
			throw wrong(path + "jdbc.connections", String.valueOf(value), "must be from 1 to " + MOST_CONNECTIONS,
					"Leave it out: none is held while a lock is held, so 2 are enough for most applications.");
		}
	}

	static void znode(String property, String path) {
		if (!ZNODE.matcher(path).matches()) {
			throw wrong(property, "'" + ForeignText.of(path) + "'", "must be an absolute path of ZooKeeper",
					"Set it to a path such as /distributed-lock.");
		}
	}

	private static LockConfigurationException wrong(String property, Duration value, String rule, String action) {
		return wrong(property, DurationText.of(value), rule, action);
	}

	private static LockConfigurationException wrong(String property, String value, String rule, String action) {
		return new LockConfigurationException(
				"The property distributed-lock." + property + " is " + value + " but " + rule + ".", action);
	}

}
