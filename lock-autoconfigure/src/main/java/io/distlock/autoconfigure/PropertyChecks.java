package io.distlock.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.distlock.LockOptions;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/** Checks the ranges of property values. Its messages name the property and the value. */
final class PropertyChecks {

	private PropertyChecks() {
	}

	static void notNegative(String property, @Nullable Duration value) {
		if (value != null && value.isNegative()) {
			throw wrong(property, value, "must not be negative", "Set it to 0 or more, for instance 5s.");
		}
	}

	/**
	 * Checks the options of one lock, or the defaults of all locks.
	 * @param prefix the prefix of the options
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
					"Lower it to at most " + DurationText.of(Duration.ofMillis(leaseTime.toMillis() / 3))
							+ " or raise the lease time.");
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
