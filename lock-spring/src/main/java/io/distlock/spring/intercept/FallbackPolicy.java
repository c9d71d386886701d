package io.distlock.spring.intercept;

import java.lang.reflect.Method;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

import io.distlock.LockException;
import io.distlock.spring.definition.KotlinMethods;

/** Calls another method of the target instead of the body. */
final class FallbackPolicy implements NoLockPolicy {

	private final Method fallback;

	private final int common;

	private final boolean wantsReason;

	/**
	 * Creates it.
	 * @param fallback what to call: with the parameters of the locked method, optionally
	 * followed by the exception; a suspend function also with the continuation
	 * @param common how many parameters both have
	 * @param wantsReason whether the exception follows
	 */
	FallbackPolicy(Method fallback, int common, boolean wantsReason) {
		this.fallback = fallback;
		this.common = common;
		this.wantsReason = wantsReason;
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) throws Throwable {
		@Nullable Object[] given = call.invocation().getArguments();
		@Nullable Object[] arguments = Arrays.copyOf(given, this.fallback.getParameterCount());
		if (this.wantsReason) {
			arguments[this.common] = reason;
		}
		if (KotlinMethods.isSuspend(this.fallback)) {
			arguments[arguments.length - 1] = given[given.length - 1];
		}
		// Proxies call their targets like this; it works for suspend functions too.
		return AopUtils.invokeJoinpointUsingReflection(call.target(), this.fallback, arguments);
	}

}
