package io.distlock.spring.intercept;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * A call that tells the advice and the woven method inside of it which call is locked
 * already.
 *
 * @param call the call
 * @param passage what is locked, or {@code null} from the body on
 */
record MarkedInvocation(MethodInvocation call, @Nullable LockedByProxy passage) implements MethodInvocation {

	@Override
	public @Nullable Object proceed() throws Throwable {
		return passing(this.call::proceed);
	}

	/** Proceeds on another thread, where other advice needs the exposed invocation. */
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

	/** The rest of the way. */
	private interface Further {

		@Nullable Object proceed() throws Throwable;

	}

}
