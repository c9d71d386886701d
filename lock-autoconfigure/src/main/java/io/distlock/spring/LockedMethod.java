package io.distlock.spring;

import org.jspecify.annotations.Nullable;

import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;

/** An annotated method with all that can be told before it is called. */
final class LockedMethod {

	private final LockSite site;

	private final String name;

	private final @Nullable KeyExpression key;

	private final @Nullable TokenParameter token;

	private final LockMode mode;

	private final LockTuning tuning;

	private final CallStyle style;

	private final Refusal refusal;

	private final @Nullable LockRequest fixed;

	/**
	 * Creates a description.
	 * @param site the method
	 * @param name name of the lock, empty if it has a key only
	 * @param key the part of the lock's identity that depends on the call
	 * @param token the parameter that gets the fencing token
	 * @param mode who may hold it at the same time, unless it is a semaphore
	 * @param tuning what the annotation and the configuration say
	 * @param style how it runs under its lock
	 * @param refusal what happens instead if it gets no lock
	 */
	LockedMethod(LockSite site, String name, @Nullable KeyExpression key, @Nullable TokenParameter token, LockMode mode,
			LockTuning tuning, CallStyle style, Refusal refusal) {
		this.site = site;
		this.name = name;
		this.key = key;
		this.token = token;
		this.mode = mode;
		this.tuning = tuning;
		this.style = style;
		this.refusal = refusal;
		this.fixed = (key == null) ? request(name) : null;
	}

	LockRequest request(Object target, @Nullable Object[] arguments) {
		if (this.fixed != null) {
			return this.fixed;
		}
		@Nullable Object[] known = (this.token != null) ? this.token.hide(arguments) : arguments;
		String text = (this.key != null) ? this.key.evaluate(target, known) : "";
		return request(this.name.isEmpty() ? text : this.name + ":" + text);
	}

	private LockRequest request(String identity) {
		return this.tuning.applyTo(LockRequest.of(identity).mode(this.mode)).calledFrom(this.site.caller());
	}

	/** Replaces the argument that the fencing token is for, if there is one. */
	void passToken(@Nullable Object[] arguments, LockHandle lock) {
		if (this.token != null) {
			this.token.set(arguments, lock);
		}
	}

	CallStyle style() {
		return this.style;
	}

	Refusal refusal() {
		return this.refusal;
	}

	/** With what the configuration says. */
	LockTuning tuning() {
		return this.tuning;
	}

	String name() {
		return this.name;
	}

	LockSite site() {
		return this.site;
	}

}
