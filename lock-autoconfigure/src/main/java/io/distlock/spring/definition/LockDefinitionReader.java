package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.OnLost;
import io.distlock.OnStoreFailure;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.LockTuning;

/** Turns an annotation into what a call needs, and refuses what cannot work. */
final class LockDefinitionReader {

	private final ConfigurableBeanFactory beanFactory;

	private final KeyExpressions keys;

	private final Supplier<Map<String, LockTuning>> overrides;

	private final Supplier<Duration> longestLease;

	LockDefinitionReader(ConfigurableBeanFactory beanFactory, Supplier<Map<String, LockTuning>> overrides,
			Supplier<Duration> longestLease) {
		this.beanFactory = beanFactory;
		this.keys = new KeyExpressions(beanFactory);
		this.overrides = overrides;
		this.longestLease = longestLease;
	}

	LockedMethod read(Method method, Class<?> targetClass, LockAttributes annotation) {
		LockedMethodId id = new LockedMethodId(method, targetClass);
		TokenParameter token = TokenParameter.of(id);
		List<KeyExpression> expressions = expressions(id, annotation, token);
		String name = resolve(id, "name", annotation.name());
		if (name.isEmpty() && expressions.isEmpty()) {
			name = id.signature();
		}
		LockTuning override = this.overrides.get().get(name);
		LockTuning tuning = tuning(id, annotation);
		LockTuning effective = (override != null) ? tuning.overriddenBy(override) : tuning;
		checkLongest(id, "leaseTime", effective.leaseTime());
		checkLongest(id, "minHold", effective.minHold());
		if (effective.minHold() != null && (annotation.mode() == LockMode.SHARED || annotation.permits() != null)) {
			throw id.invalid("it has a minHold, but others may hold it at the same time",
					"Leave the minHold out, or take the lock exclusively");
		}
		if (effective.permits() != null && annotation.permits() == null) {
			throw id.invalid("distributed-lock.locks." + name + ".permits is set, but it is a lock",
					"Remove the property, or annotate the method with @DistributedSemaphore");
		}
		return new LockedMethod(id, annotation, name, expressions, token, effective);
	}

	private List<KeyExpression> expressions(LockedMethodId id, LockAttributes annotation,
			@Nullable TokenParameter token) {
		List<String> texts = annotation.keys();
		if (texts.isEmpty()) {
			return annotation.key().isEmpty() ? List.of() : List.of(this.keys.parse(annotation.key(), id));
		}
		if (!annotation.key().isEmpty()) {
			throw id.invalid("it has both key '" + annotation.key() + "' and keys", "Write all of them into keys");
		}
		if (token != null) {
			throw id.invalid(
					"it has several keys, so there is no one fencing token for the parameter annotated "
							+ "with @FencingToken",
					"Use one key, or take the tokens of LockContext.all() in the method");
		}
		return texts.stream().map((text) -> this.keys.parse(text, id)).toList();
	}

	private LockTuning tuning(LockedMethodId id, LockAttributes annotation) {
		Duration waitTime = duration(id, "waitTime", annotation.waitTime());
		if (waitTime != null && waitTime.isNegative()) {
			throw id.invalid("waitTime \"" + annotation.waitTime() + "\" is negative",
					"Write \"0\" to try once, or leave it out for the default");
		}
		Duration leaseTime = duration(id, "leaseTime", annotation.leaseTime());
		if (leaseTime != null
				&& (leaseTime.compareTo(LockRequest.MIN_LEASE) < 0 || leaseTime.compareTo(LockRequest.MAX_LEASE) > 0)) {
			throw id.invalid(
					"leaseTime \"" + annotation.leaseTime() + "\" is not between " + LockRequest.MIN_LEASE.toMillis()
							+ "ms and " + LockRequest.MAX_LEASE.toDays() + "d",
					"Leave it out to have the lock renewed while the method runs");
		}
		return new LockTuning(waitTime, leaseTime, maxWaiters(id, annotation.maxWaiters()), onLost(annotation),
				maxHold(id, annotation), minHold(id, annotation), onStoreFailure(annotation),
				permits(id, annotation.permits()));
	}

	private @Nullable Integer permits(LockedMethodId id, @Nullable String text) {
		if (text == null) {
			return null;
		}
		String value = resolve(id, "permits", text);
		String described = "permits \"" + value + "\"" + (value.equals(text) ? "" : " from \"" + text + "\"");
		String fix = "Write how many may run at the same time, at least \"1\"";
		try {
			int permits = Integer.parseInt(value.strip());
			if (permits < 1 || permits > LockRequest.MAX_PERMITS) {
				throw id.invalid(described + " is not between 1 and " + LockRequest.MAX_PERMITS, fix);
			}
			return permits;
		}
		catch (NumberFormatException ex) {
			throw id.invalid(described + " is not a number", fix);
		}
	}

	private static @Nullable OnLost onLost(LockAttributes annotation) {
		return (annotation.onLost() != OnLost.DEFAULT) ? annotation.onLost() : null;
	}

	private static @Nullable OnStoreFailure onStoreFailure(LockAttributes annotation) {
		return (annotation.onStoreFailure() != OnStoreFailure.DEFAULT) ? annotation.onStoreFailure() : null;
	}

	private @Nullable Duration maxHold(LockedMethodId id, LockAttributes annotation) {
		Duration maxHold = duration(id, "maxHold", annotation.maxHold());
		if (maxHold != null && (maxHold.isNegative() || maxHold.isZero())) {
			throw id.invalid("maxHold \"" + annotation.maxHold() + "\" is not more than 0",
					"Write how long the method takes at the most, or leave it out");
		}
		return maxHold;
	}

	private @Nullable Duration minHold(LockedMethodId id, LockAttributes annotation) {
		Duration minHold = duration(id, "minHold", annotation.minHold());
		if (minHold != null && (minHold.isNegative() || minHold.compareTo(LockRequest.MAX_LEASE) > 0)) {
			throw id
				.invalid(
						"minHold \"" + annotation.minHold() + "\" is not between 0 and "
								+ LockRequest.MAX_LEASE.toDays() + "d",
						"Write how far the clocks of the machines may be apart, or leave it out");
		}
		return minHold;
	}

	private void checkLongest(LockedMethodId id, String attribute, @Nullable Duration time) {
		Duration longest = this.longestLease.get();
		if (time != null && time.compareTo(longest) > 0) {
			throw id.invalid(
					attribute + " " + time.toMillis() + "ms is longer than the quarantine of " + longest.toMillis()
							+ "ms, after which a server that lost its data would grant the lock to somebody else",
					"Shorten it, or raise the quarantine of the store (distributed-lock.redis.quarantine or distributed-lock.redlock.quarantine)");
		}
	}

	private static @Nullable Integer maxWaiters(LockedMethodId id, int value) {
		if (value < 0) {
			throw id.invalid("maxWaiters " + value + " is negative",
					"Write at least 1, or leave it out for the default");
		}
		return (value > 0) ? value : null;
	}

	private @Nullable Duration duration(LockedMethodId id, String attribute, String text) {
		String value = resolve(id, attribute, text);
		if (value.isEmpty()) {
			return null;
		}
		try {
			return DurationFormatterUtils.detectAndParse(value);
		}
		catch (IllegalArgumentException ex) {
			String from = value.equals(text) ? "" : " from \"" + text + "\"";
			throw id.invalid(attribute + " \"" + value + "\"" + from + " is not a duration",
					"Write it like \"5s\", \"1500ms\" or \"PT5S\"");
		}
	}

	private String resolve(LockedMethodId id, String attribute, String text) {
		String value = text;
		try {
			value = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw unresolved(id, attribute, text);
		}
		// Without a configurer of its own a context leaves what it does not know.
		if (value != null && value.contains("${")) {
			throw unresolved(id, attribute, text);
		}
		if (value == null || (value.isBlank() && !text.isEmpty())) {
			throw id.invalid(attribute + " \"" + text + "\" is blank", "Leave it out, or give it a value");
		}
		return value;
	}

	private static InvalidLockDefinitionException unresolved(LockedMethodId id, String attribute, String text) {
		return id.invalid(attribute + " \"" + text + "\" has a placeholder without a value",
				"Set the property, or give the placeholder a default: ${property:default}");
	}

}
