package io.distlock.spring;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;

/**
 * The call of a method that a proxy has locked, on its way through other advice to the
 * woven method, which must not lock it again. It counts for that method of that object on
 * that thread, until the body begins: what the body calls is another call.
 *
 * @param target whose method is called
 * @param method the method that runs
 */
record Passage(@Nullable Object target, Method method) {

	private static final ThreadLocal<@Nullable Passage> OPEN = new ThreadLocal<>();

	static Passage of(MethodInvocation call) {
		Object target = call.getThis();
		for (Object inner = target; inner != null; inner = AopProxyUtils.getSingletonTarget(inner)) {
			target = inner;
		}
		return new Passage(target,
				(target != null) ? LockAnnotations.specific(call.getMethod(), target.getClass()) : call.getMethod());
	}

	boolean isOpen() {
		Passage open = OPEN.get();
		return open != null && open.target == this.target && open.method.equals(this.method);
	}

	/** Opens another one, or none. */
	static @Nullable Passage exchange(@Nullable Passage next) {
		Passage before = OPEN.get();
		if (next != null) {
			OPEN.set(next);
		}
		else if (before != null) {
			OPEN.remove();
		}
		return before;
	}

}
