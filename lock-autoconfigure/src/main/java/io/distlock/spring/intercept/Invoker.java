package io.distlock.spring.intercept;

import org.jspecify.annotations.Nullable;

import io.distlock.spring.definition.LockedMethod;

/**
 * Runs the calls of one annotated method.
 *
 * @param method what the annotation and the configuration define
 * @param style how the method runs under its lock
 * @param policy what happens instead when the method gets no lock
 */
public record Invoker(LockedMethod method, CallStyle style, NoLockPolicy policy) {

	@Nullable Object invoke(LockedCall call) throws Throwable {
		return this.style.run(call, this.policy);
	}

}
