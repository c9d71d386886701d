package io.distlock.spring.definition;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.distlock.LockHandle;
import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.OnBusy;
import io.distlock.observe.LockNotTaken;
import io.distlock.spring.ConfiguredLock;

/** An annotated method, with everything that is known before a call. */
public final class LockedMethod {

	private final LockedMethodId id;

	private final LockAttributes attributes;

	private final String name;

	private final List<KeyExpression> keys;

	private final @Nullable LockCondition condition;

	private final @Nullable TokenParameter token;

	private final LockOptions options;

	private final ConfiguredLock configured;

	private final @Nullable LockRequest fixed;

	/**
	 * Creates a description.
	 * @param id the method
	 * @param attributes the attributes of the annotation
	 * @param name name of the lock, empty if the lock has only a key
	 * @param keys the part of the lock's identity that depends on the call
	 * @param condition decides whether a call needs the lock, {@code null} if each call
	 * does
	 * @param token the parameter that gets the fencing token
	 * @param options the options from annotation and configuration
	 * @param configured the configuration of the method
	 */
	LockedMethod(LockedMethodId id, LockAttributes attributes, String name, List<KeyExpression> keys,
			@Nullable LockCondition condition, @Nullable TokenParameter token, LockOptions options,
			ConfiguredLock configured) {
		this.id = id;
		this.attributes = attributes;
		this.name = name;
		this.keys = keys;
		this.condition = condition;
		this.token = token;
		this.options = options;
		this.configured = configured;
		this.fixed = keys.isEmpty() ? request(List.of(name)) : null;
	}

	public LockRequest request(Object target, @Nullable Object[] arguments) {
		if (this.fixed != null) {
			return this.fixed;
		}
		@Nullable Object[] known = (this.token != null) ? this.token.hide(arguments) : arguments;
		List<String> identities = new ArrayList<>(this.keys.size());
		for (KeyExpression key : this.keys) {
			for (String text : key.evaluate(target, known)) {
				identities.add(this.name.isEmpty() ? text : this.name + ":" + text);
			}
		}
		LockRequest request = request(identities);
		if (this.token != null && request.keys().size() > 1) {
			throw this.keys.get(0).severalForOneToken(request.keys());
		}
		return request;
	}

	/**
	 * Returns why a call runs without a lock, before its key is evaluated.
	 * @param target the object of the call
	 * @param arguments the arguments of the call
	 * @return {@code null} if the call needs the lock
	 * @throws io.distlock.spring.LockConditionException if the condition yields neither
	 * true nor false
	 */
	public LockNotTaken.@Nullable Reason reasonNotTaken(Object target, @Nullable Object[] arguments) {
		if (!this.configured.enabled()) {
			return LockNotTaken.Reason.SWITCHED_OFF;
		}
		return (this.condition == null || this.condition.evaluate(target, arguments)) ? null
				: LockNotTaken.Reason.CONDITION;
	}

	private LockRequest request(List<String> identities) {
		LockRequest request = (identities.size() == 1) ? LockRequest.of(identities.get(0))
				: LockRequest.ofAll(identities);
		LockRequest asked = (this.options.permits() == null) ? request.mode(this.attributes.mode()) : request;
		return asked.with(this.options).calledFrom(this.id.caller()).named(group());
	}

	/** Returns the name of the lock in meters and events. */
	public String group() {
		return this.name.isEmpty() ? this.id.caller() : this.name;
	}

	/**
	 * Replaces the argument of the token parameter with the fencing token, if there is
	 * such a parameter.
	 */
	public void passToken(@Nullable Object[] arguments, LockHandle lock) {
		if (this.token != null) {
			this.token.set(arguments, lock);
		}
	}

	/** Returns the keys, or elements of a list as key, that are the same in each call. */
	public List<String> constantKeys() {
		return this.keys.stream().flatMap((key) -> key.constants().stream()).toList();
	}

	/** Returns whether there are keys and all are the same in each call. */
	public boolean hasConstantKey() {
		return !this.keys.isEmpty() && this.keys.stream().allMatch(KeyExpression::isConstant);
	}

	/** Returns the attributes of the annotation as written. */
	public LockAttributes attributes() {
		return this.attributes;
	}

	/** Returns the configuration of the method. */
	public ConfiguredLock configured() {
		return this.configured;
	}

	/**
	 * Returns what to do when the lock is busy. The configuration overrides the
	 * annotation.
	 */
	public OnBusy onBusy() {
		OnBusy choice = this.configured.onBusy();
		return (choice != null) ? choice : this.attributes.onBusy();
	}

	/**
	 * Returns the method to call instead, empty for none. The configuration overrides the
	 * annotation.
	 */
	public String fallback() {
		String name = this.configured.fallback();
		return (name != null) ? name : this.attributes.fallback();
	}

	/** Returns the options. The configuration overrides the annotation. */
	public LockOptions options() {
		return this.options;
	}

	public String name() {
		return this.name;
	}

	public LockedMethodId id() {
		return this.id;
	}

}
