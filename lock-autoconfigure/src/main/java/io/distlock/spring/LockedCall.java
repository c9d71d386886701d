package io.distlock.spring;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.util.Assert;

/**
 * One call of an annotated method.
 *
 * @param invocation the call
 * @param target whose method it is
 * @param method the method
 * @param template where to acquire the lock
 * @param transactions what to do about a transaction that is open already, or
 * {@code null} where there are none
 * @param nested what runs inside what
 */
record LockedCall(MethodInvocation invocation, Object target, LockedMethod method, LockTemplate template,
		@Nullable OuterTransaction transactions, NestedLocks nested) {

	static LockedCall of(MethodInvocation invocation, LockedMethods methods, LockTemplate template,
			@Nullable OuterTransaction transactions, NestedLocks nested) {
		Object target = invocation.getThis();
		Assert.state(target != null, "A locked method needs a target");
		LockedMethod method = methods.get(invocation.getMethod(), target.getClass());
		return new LockedCall(invocation, target, method, template, transactions, nested);
	}

	LockRequest request() {
		LockRequest request = this.method.request(this.target, this.invocation.getArguments());
		return (this.transactions != null) ? this.transactions.withinTimeout(request) : request;
	}

	/**
	 * The same call, to be run later and on any thread, also several times.
	 */
	LockedCall detached() {
		return new LockedCall(repeatable(this.invocation), this.target, this.method, this.template, this.transactions,
				this.nested);
	}

	private static MethodInvocation repeatable(MethodInvocation call) {
		if (call instanceof PassedInvocation passed) {
			return new PassedInvocation(repeatable(passed.call()), passed.passage());
		}
		return (call instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone() : call;
	}

	/**
	 * Runs the body of a detached call, for other advice as on the thread that called.
	 */
	@Nullable Object proceedDetached(LockHandle lock) throws Throwable {
		this.method.passToken(this.invocation.getArguments(), lock);
		return ExposeInvocationInterceptor.INSTANCE.invoke(this.invocation);
	}

	/** Runs the body, with the lock's fencing token where it is wanted. */
	@Nullable Object proceed(LockHandle lock) throws Throwable {
		this.method.passToken(this.invocation.getArguments(), lock);
		return this.invocation.proceed();
	}

}
