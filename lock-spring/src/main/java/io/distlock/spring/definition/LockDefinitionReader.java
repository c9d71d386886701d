package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;

import io.distlock.LockMode;
import io.distlock.LockOptions;
import io.distlock.spring.ConfiguredLock;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.support.ForeignText;

/**
 * Turns an annotation into the definition of a locked method, and refuses definitions
 * that cannot work.
 */
final class LockDefinitionReader {

	/** A number without a unit, except zero. */
	private static final Pattern BARE_NUMBER = Pattern.compile("[+-]?0*[1-9]\\d*");

	private final ConfigurableBeanFactory beanFactory;

	private final KeyExpressions keys;

	private final ConfiguredLocks overrides;

	LockDefinitionReader(ConfigurableBeanFactory beanFactory, ConfiguredLocks overrides) {
		this.beanFactory = beanFactory;
		this.keys = new KeyExpressions(beanFactory);
		this.overrides = overrides;
	}

	LockedMethod read(Method method, Class<?> targetClass, LockAttributes annotation) {
		LockedMethodId id = new LockedMethodId(method, targetClass);
		TokenParameter token = TokenParameter.of(id);
		List<KeyExpression> expressions = expressions(id, annotation, token);
		String name = resolve(id, "name", annotation.name());
		checkName(id, name);
		if (name.isEmpty() && expressions.isEmpty()) {
			name = id.signature();
		}
		ConfiguredLock configured = this.overrides.of(id, name);
		LockOptions effective = configured.options().orElse(options(id, annotation));
		if (effective.minHold() != null && (annotation.mode() == LockMode.SHARED || annotation.permits() != null)) {
			throw id.invalid("it has a minHold, but others may hold it at the same time",
					"Leave the minHold out, or take the lock exclusively");
		}
		if (effective.permits() != null && annotation.permits() == null) {
			throw id.invalid("distributed-lock.locks." + name + ".permits is set, but it is a lock",
					"Remove the property, or annotate the method with @DistributedSemaphore");
		}
		LockCondition condition = annotation.condition().isEmpty() ? null
				: this.keys.condition(annotation.condition(), id);
		checkToken(id, token, name, configured, condition);
		return new LockedMethod(id, annotation, name, expressions, condition, token, effective, configured);
	}

	/**
	 * Refuses an expression as a name. As the fixed text that a name is, it would be one
	 * lock for all values.
	 */
	private static void checkName(LockedMethodId id, String name) {
		String text = name.strip();
		if (text.startsWith("#") || text.startsWith("'") || text.contains("#{")) {
			throw id.invalid("name '" + ForeignText.of(name) + "' is an expression, but a name is a fixed text",
					"Write the expression into the key, and a name without it: name = \"job\", key = \"#tenant\"");
		}
	}

	/**
	 * Refuses a token parameter if a call may run without a lock. Such a call has no
	 * token, and must not pass on the caller's number.
	 */
	private static void checkToken(LockedMethodId id, @Nullable TokenParameter token, String name,
			ConfiguredLock configured, @Nullable LockCondition condition) {
		String unlocked = !configured.enabled() ? "distributed-lock.locks." + name + ".enabled is false"
				: (condition != null) ? "it has the condition '" + ForeignText.of(condition.text()) + "'" : null;
		if (token != null && unlocked != null) {
			throw id.invalid(unlocked + ", but a parameter is annotated with @FencingToken, which only a lock has",
					configured.enabled() ? "Remove the condition, or the parameter"
							: "Remove the property, or the parameter");
		}
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

	private LockOptions options(LockedMethodId id, LockAttributes annotation) {
		LockOptions options = LockOptions.NONE.withWaitTime(duration(id, "waitTime", annotation.waitTime()))
			.withLeaseTime(duration(id, "leaseTime", annotation.leaseTime()))
			.withMaxWaiters((annotation.maxWaiters() != 0) ? annotation.maxWaiters() : null)
			.withOnLost(annotation.onLost())
			.withMaxHold(duration(id, "maxHold", annotation.maxHold()))
			.withMinHold(duration(id, "minHold", annotation.minHold()))
			.withOnStoreFailure(annotation.onStoreFailure())
			.withPermits(permits(id, annotation.permits()));
		options.violation().ifPresent((violation) -> {
			String written = annotation.text(violation.option());
			throw id.invalid(
					violation.option().attribute() + " " + violation.value()
							+ (written.contains("${") ? from(violation.value(), written) : "") + " " + violation.rule(),
					violation.fix());
		});
		return options;
	}

	private @Nullable Integer permits(LockedMethodId id, @Nullable String text) {
		if (text == null) {
			return null;
		}
		String value = resolve(id, "permits", text);
		try {
			return Integer.valueOf(value.strip());
		}
		catch (NumberFormatException ex) {
			throw id.invalid("permits \"" + value + "\"" + from(value, text) + " is not a number",
					"Set it to how many callers may hold a permit at the same time");
		}
	}

	private static String from(String value, String text) {
		return value.equals(text) ? "" : " from \"" + text + "\"";
	}

	private @Nullable Duration duration(LockedMethodId id, String attribute, String text) {
		String value = resolve(id, attribute, text);
		if (value.isEmpty()) {
			return null;
		}
		String number = value.strip();
		if (BARE_NUMBER.matcher(number).matches()) {
			if (number.startsWith("-")) {
				throw id.invalid(attribute + " \"" + number + "\"" + from(value, text) + " is negative",
						attribute.equals("waitTime") ? "Leave it out for the default, or write \"0\" to try once"
								: attribute.equals("leaseTime")
										? "Leave it out: the lock is renewed while the method runs" : "Leave it out");
			}
			throw id.invalid(attribute + " \"" + number + "\"" + from(value, text) + " has no unit",
					"Write \"" + number + "s\" or \"" + number + "ms\"");
		}
		return DurationText.parse(value)
			.orElseThrow(() -> id.invalid(attribute + " \"" + value + "\"" + from(value, text) + " is not a duration",
					"Write it like \"5s\", \"1500ms\" or \"PT5S\""));
	}

	private String resolve(LockedMethodId id, String attribute, String text) {
		String value = text;
		try {
			value = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw unresolved(id, attribute, text);
		}
		// A context without a placeholder configurer does not replace unknown
		// placeholders.
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
