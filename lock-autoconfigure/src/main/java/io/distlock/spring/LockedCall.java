package io.distlock.spring;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

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
		return this.method.request(this.target, this.invocation.getArguments());
	}

	/** Runs the body, with the lock's fencing token where it is wanted. */
	@Nullable Object proceed(LockHandle lock) throws Throwable {
		this.method.passToken(this.invocation.getArguments(), lock);
		return this.invocation.proceed();
	}

}
