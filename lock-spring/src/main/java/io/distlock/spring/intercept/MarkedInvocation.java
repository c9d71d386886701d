package io.distlock.spring.intercept;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * A call that informs inner advice and the woven method which call is already locked.
 *
 * @param call the call
 * @param passage the locked call, or {@code null} from the body on
 */
record MarkedInvocation(MethodInvocation call, @Nullable LockedByProxy passage) implements MethodInvocation {

	@Override
	public @Nullable Object proceed() throws Throwable {
		return passing(this.call::proceed);
	}

	/** Proceeds on another thread. Other advice needs the exposed invocation there. */
	@Nullable Object proceedExposed() throws Throwable {
		return passing(() -> ExposeInvocationInterceptor.INSTANCE.invoke(this.call));
	}

	private @Nullable Object passing(Further further) throws Throwable {
		LockedByProxy before = LockedByProxy.exchange(this.passage);
		try {
			return further.proceed();
		}
		finally {
			LockedByProxy.exchange(before);
		}
	}

	@Override
	public Method getMethod() {
		return this.call.getMethod();
	}

	@Override
	public @Nullable Object[] getArguments() {
		return this.call.getArguments();
	}

	@Override
	public @Nullable Object getThis() {
		return this.call.getThis();
	}

	@Override
	public AccessibleObject getStaticPart() {
		return this.call.getStaticPart();
	}

	/** The remaining advice and the body. */
	private interface Further {

		@Nullable Object proceed() throws Throwable;

	}

}
