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
	 * Creates a policy.
	 * @param fallback the method to call, with the parameters of the locked method,
	 * optionally the exception, and for a suspend function the continuation
	 * @param common how many parameters both methods have in common
	 * @param wantsReason whether the exception follows the common parameters
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
		// Proxies call their targets in this way, and it works for suspend functions.
		return AopUtils.invokeJoinpointUsingReflection(call.target(), this.fallback, arguments);
	}

}
