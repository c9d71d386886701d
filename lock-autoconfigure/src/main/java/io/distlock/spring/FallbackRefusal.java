package io.distlock.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

import io.distlock.LockException;

/** Calls another method of the target instead of the body. */
final class FallbackRefusal implements Refusal {

	private final Method fallback;

	private final boolean wantsReason;

	/**
	 * Creates it.
	 * @param fallback what to call: with the parameters of the locked method, optionally
	 * followed by the exception
	 * @param wantsReason whether it is
	 */
	FallbackRefusal(Method fallback, boolean wantsReason) {
		this.fallback = fallback;
		this.wantsReason = wantsReason;
		ReflectionUtils.makeAccessible(fallback);
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) throws Throwable {
		@Nullable Object[] arguments = call.invocation().getArguments();
		if (this.wantsReason) {
			arguments = Arrays.copyOf(arguments, arguments.length + 1);
			arguments[arguments.length - 1] = reason;
		}
		try {
			return this.fallback.invoke(call.target(), arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
