package io.distlock.spring;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

import io.distlock.DistributedLock;
import io.distlock.LockRequest;

/** Turns an annotation into what a call needs, and refuses what cannot work. */
final class LockDefinitionReader {

	private final ConfigurableBeanFactory beanFactory;

	private final KeyExpressions keys;

	private final Supplier<Map<String, LockTuning>> overrides;

	LockDefinitionReader(ConfigurableBeanFactory beanFactory, Supplier<Map<String, LockTuning>> overrides) {
		this.beanFactory = beanFactory;
		this.keys = new KeyExpressions(beanFactory);
		this.overrides = overrides;
	}

	LockedMethod read(Method method, Class<?> targetClass, DistributedLock annotation) {
		LockSite site = new LockSite(method);
		ReturnTypes.check(site, targetClass);
		KeyExpression key = annotation.key().isEmpty() ? null : this.keys.parse(annotation.key(), site);
		String name = resolve(site, "name", annotation.name());
		if (name.isEmpty() && key == null) {
			name = site.signature();
		}
		LockTuning override = this.overrides.get().get(name);
		LockTuning tuning = tuning(site, annotation);
		return new LockedMethod(site, name, key, TokenParameter.of(site),
				(override != null) ? tuning.overriddenBy(override) : tuning);
	}

	private LockTuning tuning(LockSite site, DistributedLock annotation) {
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
		return new LockTuning(waitTime, leaseTime, maxWaiters(site, annotation.maxWaiters()));
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
