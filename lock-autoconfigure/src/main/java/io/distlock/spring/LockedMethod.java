package io.distlock.spring;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;

/** An annotated method with all that can be told before it is called. */
final class LockedMethod {

	private final LockSite site;

	private final String name;

	private final List<KeyExpression> keys;

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
	 * @param keys the part of the lock's identity that depends on the call
	 * @param token the parameter that gets the fencing token
	 * @param mode who may hold it at the same time, unless it is a semaphore
	 * @param tuning what the annotation and the configuration say
	 * @param style how it runs under its lock
	 * @param refusal what happens instead if it gets no lock
	 */
	LockedMethod(LockSite site, String name, List<KeyExpression> keys, @Nullable TokenParameter token, LockMode mode,
			LockTuning tuning, CallStyle style, Refusal refusal) {
		this.site = site;
		this.name = name;
		this.keys = keys;
		this.token = token;
		this.mode = mode;
		this.tuning = tuning;
		this.style = style;
		this.refusal = refusal;
		this.fixed = keys.isEmpty() ? request(List.of(name)) : null;
	}

	LockRequest request(Object target, @Nullable Object[] arguments) {
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

	private LockRequest request(List<String> identities) {
		LockRequest request = (identities.size() == 1) ? LockRequest.of(identities.get(0))
				: LockRequest.ofAll(identities);
		return this.tuning.applyTo(request.mode(this.mode)).calledFrom(this.site.caller());
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
