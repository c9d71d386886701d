package io.distlock.spring;

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

/** Turns an annotation into what a call needs, and refuses what cannot work. */
final class LockDefinitionReader {

	private final ConfigurableBeanFactory beanFactory;

	private final KeyExpressions keys;

	private final Supplier<Map<String, LockTuning>> overrides;

	private final Supplier<Duration> longestLease;

	private final Refusals refusals;

	LockDefinitionReader(ConfigurableBeanFactory beanFactory, Supplier<Map<String, LockTuning>> overrides,
			Supplier<Duration> longestLease, Refusals refusals) {
		this.beanFactory = beanFactory;
		this.keys = new KeyExpressions(beanFactory);
		this.overrides = overrides;
		this.longestLease = longestLease;
		this.refusals = refusals;
	}

	LockedMethod read(Method method, Class<?> targetClass, LockAttributes annotation) {
		LockSite site = new LockSite(method, targetClass);
		CallStyle style = CallStyles.of(site, targetClass);
		TokenParameter token = TokenParameter.of(site);
		List<KeyExpression> expressions = expressions(site, annotation, token);
		String name = resolve(site, "name", annotation.name());
		if (name.isEmpty() && expressions.isEmpty()) {
			name = site.signature();
		}
		LockTuning override = this.overrides.get().get(name);
		LockTuning tuning = tuning(site, annotation);
		LockTuning effective = (override != null) ? tuning.overriddenBy(override) : tuning;
		checkLongest(site, "leaseTime", effective.leaseTime());
		checkLongest(site, "minHold", effective.minHold());
		if (effective.minHold() != null && (annotation.mode() == LockMode.SHARED || annotation.permits() != null)) {
			throw site.invalid("it has a minHold, but others may hold it at the same time",
					"Leave the minHold out, or take the lock exclusively");
		}
		if (effective.permits() != null && annotation.permits() == null) {
			throw site.invalid("distributed-lock.locks." + name + ".permits is set, but it is a lock",
					"Remove the property, or annotate the method with @DistributedSemaphore");
		}
		return new LockedMethod(site, name, expressions, token, annotation.mode(), effective, style,
				this.refusals.of(site, annotation, effective.onStoreFailure(), targetClass));
	}

	private List<KeyExpression> expressions(LockSite site, LockAttributes annotation, @Nullable TokenParameter token) {
		List<String> texts = annotation.keys();
		if (texts.isEmpty()) {
			return annotation.key().isEmpty() ? List.of() : List.of(this.keys.parse(annotation.key(), site));
		}
		if (!annotation.key().isEmpty()) {
			throw site.invalid("it has both key '" + annotation.key() + "' and keys", "Write all of them into keys");
		}
		if (token != null) {
			throw site.invalid(
					"it has several keys, so there is no one fencing token for the parameter annotated "
							+ "with @FencingToken",
					"Use one key, or take the tokens of LockContext.all() in the method");
		}
		return texts.stream().map((text) -> this.keys.parse(text, site)).toList();
	}

	private LockTuning tuning(LockSite site, LockAttributes annotation) {
		Duration waitTime = duration(site, "waitTime", annotation.waitTime());
		if (waitTime != null && waitTime.isNegative()) {
			throw site.invalid("waitTime \"" + annotation.waitTime() + "\" is negative",
					"Write \"0\" to try once, or leave it out for the default");
		}
		Duration leaseTime = duration(site, "leaseTime", annotation.leaseTime());
		if (leaseTime != null
				&& (leaseTime.compareTo(LockRequest.MIN_LEASE) < 0 || leaseTime.compareTo(LockRequest.MAX_LEASE) > 0)) {
			throw site.invalid(
					"leaseTime \"" + annotation.leaseTime() + "\" is not between " + LockRequest.MIN_LEASE.toMillis()
							+ "ms and " + LockRequest.MAX_LEASE.toDays() + "d",
					"Leave it out to have the lock renewed while the method runs");
		}
		return new LockTuning(waitTime, leaseTime, maxWaiters(site, annotation.maxWaiters()), onLost(site, annotation),
				maxHold(site, annotation), minHold(site, annotation), onStoreFailure(site, annotation),
				permits(site, annotation.permits()));
	}

	private @Nullable Integer permits(LockSite site, @Nullable String text) {
		if (text == null) {
			return null;
		}
		String value = resolve(site, "permits", text);
		String described = "permits \"" + value + "\"" + (value.equals(text) ? "" : " from \"" + text + "\"");
		String fix = "Write how many may run at the same time, at least \"1\"";
		try {
			int permits = Integer.parseInt(value.strip());
			if (permits < 1 || permits > LockRequest.MAX_PERMITS) {
				throw site.invalid(described + " is not between 1 and " + LockRequest.MAX_PERMITS, fix);
			}
			return permits;
		}
		catch (NumberFormatException ex) {
			throw site.invalid(described + " is not a number", fix);
		}
	}

	private static @Nullable OnLost onLost(LockSite site, LockAttributes annotation) {
		return single(site, "onLost", annotation.onLost());
	}

	private static @Nullable OnStoreFailure onStoreFailure(LockSite site, LockAttributes annotation) {
		return single(site, "onStoreFailure", annotation.onStoreFailure());
	}

	private static <T> @Nullable T single(LockSite site, String attribute, List<T> choices) {
		if (choices.size() > 1) {
			throw site.invalid(attribute + " has " + choices.size() + " values", "Choose one, or leave it out");
		}
		return choices.isEmpty() ? null : choices.get(0);
	}

	private @Nullable Duration maxHold(LockSite site, LockAttributes annotation) {
		Duration maxHold = duration(site, "maxHold", annotation.maxHold());
		if (maxHold != null && (maxHold.isNegative() || maxHold.isZero())) {
			throw site.invalid("maxHold \"" + annotation.maxHold() + "\" is not more than 0",
					"Write how long the method takes at the most, or leave it out");
		}
		return maxHold;
	}

	private @Nullable Duration minHold(LockSite site, LockAttributes annotation) {
		Duration minHold = duration(site, "minHold", annotation.minHold());
		if (minHold != null && (minHold.isNegative() || minHold.compareTo(LockRequest.MAX_LEASE) > 0)) {
			throw site
				.invalid(
						"minHold \"" + annotation.minHold() + "\" is not between 0 and "
								+ LockRequest.MAX_LEASE.toDays() + "d",
						"Write how far the clocks of the machines may be apart, or leave it out");
		}
		return minHold;
	}

	private void checkLongest(LockSite site, String attribute, @Nullable Duration time) {
		Duration longest = this.longestLease.get();
		if (time != null && time.compareTo(longest) > 0) {
			throw site.invalid(
					attribute + " " + time.toMillis() + "ms is longer than the quarantine of " + longest.toMillis()
							+ "ms, after which a server that lost its data would grant the lock to somebody else",
					"Shorten it, or raise the quarantine of the store (distributed-lock.redis.quarantine or distributed-lock.redlock.quarantine)");
		}
	}

	private static @Nullable Integer maxWaiters(LockSite site, int value) {
		if (value < 0) {
			throw site.invalid("maxWaiters " + value + " is negative",
					"Write at least 1, or leave it out for the default");
		}
		return (value > 0) ? value : null;
	}

	private @Nullable Duration duration(LockSite site, String attribute, String text) {
		String value = resolve(site, attribute, text);
		if (value.isEmpty()) {
			return null;
		}
		try {
			return DurationFormatterUtils.detectAndParse(value);
		}
		catch (IllegalArgumentException ex) {
			String from = value.equals(text) ? "" : " from \"" + text + "\"";
			throw site.invalid(attribute + " \"" + value + "\"" + from + " is not a duration",
					"Write it like \"5s\", \"1500ms\" or \"PT5S\"");
		}
	}

	private String resolve(LockSite site, String attribute, String text) {
		String value = text;
		try {
			value = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw unresolved(site, attribute, text);
		}
		// Without a configurer of its own a context leaves what it does not know.
		if (value != null && value.contains("${")) {
			throw unresolved(site, attribute, text);
		}
		if (value == null || (value.isBlank() && !text.isEmpty())) {
			throw site.invalid(attribute + " \"" + text + "\" is blank", "Leave it out, or give it a value");
		}
		return value;
	}

	private static InvalidLockDefinitionException unresolved(LockSite site, String attribute, String text) {
		return site.invalid(attribute + " \"" + text + "\" has a placeholder without a value",
				"Set the property, or give the placeholder a default: ${property:default}");
	}

}
