package io.distlock.spring;

import org.jspecify.annotations.Nullable;

import io.distlock.LockRequest;

/** An annotated method with all that can be told before it is called. */
final class LockedMethod {

	private final LockSite site;

	private final String name;

	private final @Nullable KeyExpression key;

	private final LockTuning tuning;

	private final @Nullable LockRequest fixed;

	/**
	 * Creates a description.
	 * @param site the method
	 * @param name name of the lock, empty if it has a key only
	 * @param key the part of the lock's identity that depends on the call
	 * @param tuning what the annotation and the configuration say
	 */
	LockedMethod(LockSite site, String name, @Nullable KeyExpression key, LockTuning tuning) {
		this.site = site;
		this.name = name;
		this.key = key;
		this.tuning = tuning;
		this.fixed = (key == null) ? request(name) : null;
	}

	LockRequest request(Object target, @Nullable Object[] arguments) {
		if (this.fixed != null) {
			return this.fixed;
		}
		String text = (this.key != null) ? this.key.evaluate(target, arguments) : "";
		return request(this.name.isEmpty() ? text : this.name + ":" + text);
	}

	private LockRequest request(String identity) {
		return this.tuning.applyTo(LockRequest.of(identity)).calledFrom(this.site.caller());
	}

	String name() {
		return this.name;
	}

	LockSite site() {
		return this.site;
	}

}
