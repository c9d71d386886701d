package io.distlock.spring.intercept;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;

import io.distlock.spring.definition.LockAnnotations;

/**
 * Marks a call that a proxy has locked, so that neither an inner proxy nor the woven
 * method locks it again. The mark applies to one invocation of one thread and is cleared
 * before the body runs.
 *
 * @param target the object of the call
 * @param method the method that runs
 */
record LockedByProxy(@Nullable Object target, Method method) {

	private static final ThreadLocal<@Nullable LockedByProxy> OPEN = new ThreadLocal<>();

	static LockedByProxy of(MethodInvocation call) {
		Object target = call.getThis();
		for (Object inner = target; inner != null; inner = AopProxyUtils.getSingletonTarget(inner)) {
			target = inner;
		}
		return new LockedByProxy(target,
				(target != null) ? LockAnnotations.specific(call.getMethod(), target.getClass()) : call.getMethod());
	}

	/** Returns whether an outer proxy has locked a call. */
	static boolean hasLocked(MethodInvocation call) {
		return OPEN.get() != null && of(call).isOpen();
	}

	private boolean isOpen() {
		LockedByProxy open = OPEN.get();
		return open != null && open.target == this.target && open.method.equals(this.method);
	}

	/** Replaces the mark of this thread, and returns the former mark. */
	static @Nullable LockedByProxy exchange(@Nullable LockedByProxy next) {
		LockedByProxy before = OPEN.get();
		if (next != null) {
			OPEN.set(next);
		}
		else if (before != null) {
			OPEN.remove();
		}
		return before;
	}

}
