package io.distlock.aspectj;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

import io.distlock.spring.intercept.RepeatableInvocation;

/** Presents the execution of a woven method as an invocation for interceptors. */
final class WovenInvocation implements RepeatableInvocation {

	private final ProceedingJoinPoint point;

	/**
	 * The arguments. The join point returns a copy at each call, and an interceptor may
	 * replace arguments.
	 */
	private final @Nullable Object[] arguments;

	WovenInvocation(ProceedingJoinPoint point) {
		this(point, point.getArgs());
	}

	private WovenInvocation(ProceedingJoinPoint point, @Nullable Object[] arguments) {
		this.point = point;
		this.arguments = arguments;
	}

	@Override
	public RepeatableInvocation repeated() {
		return new WovenInvocation(this.point, this.arguments.clone());
	}

	@Override
	public Method getMethod() {
		return ((MethodSignature) this.point.getSignature()).getMethod();
	}

	@Override
	public @Nullable Object[] getArguments() {
		return this.arguments;
	}

	@Override
	public @Nullable Object proceed() throws Throwable {
		return this.point.proceed(this.arguments);
	}

	@Override
	public @Nullable Object getThis() {
		return this.point.getThis();
	}

	@Override
	public AccessibleObject getStaticPart() {
		return getMethod();
	}

}
