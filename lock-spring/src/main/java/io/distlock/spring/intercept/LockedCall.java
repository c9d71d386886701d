package io.distlock.spring.intercept;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.support.KeyText;

/** One call of an annotated method. */
final class LockedCall {

	private final MethodInvocation invocation;

	private final Object target;

	private final LockedMethod method;

	private final LockTemplate template;

	private final @Nullable OuterTransaction transactions;

	private final boolean detached;

	/** The request, once it exists. Failure handlers get its keys. */
	private volatile @Nullable LockRequest asked;

	/**
	 * Creates a call that runs on the thread of its caller.
	 * @param invocation the call
	 * @param target the object of the call
	 * @param method the method
	 * @param template acquires the lock
	 * @param transactions handles a transaction that is already open, or {@code null}
	 * without transactions
	 */
	LockedCall(MethodInvocation invocation, Object target, LockedMethod method, LockTemplate template,
			@Nullable OuterTransaction transactions) {
		this(invocation, target, method, template, transactions, false);
	}

	private LockedCall(MethodInvocation invocation, Object target, LockedMethod method, LockTemplate template,
			@Nullable OuterTransaction transactions, boolean detached) {
		this.invocation = invocation;
		this.target = target;
		this.method = method;
		this.template = template;
		this.transactions = transactions;
		this.detached = detached;
	}

	MethodInvocation invocation() {
		return this.invocation;
	}

	Object target() {
		return this.target;
	}

	LockedMethod method() {
		return this.method;
	}

	/** Acquires the lock on the calling thread. */
	LockHandle acquire(LockRequest request) {
		return answered(this.template.acquire(request), request);
	}

	/** Called before the body moves to another thread than that of the caller. */
	void leavesThread() {
		if (this.transactions != null) {
			this.transactions.leftByBody(this.method);
		}
	}

	/** Acquires the lock for a handle, without a waiting thread. */
	CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return answered(this.template.acquireAsync(request), request).toCompletableFuture();
	}

	@SuppressWarnings("ConstantValue")
	private <T> T answered(T answer, LockRequest request) {
		if (answer == null) {
			throw new IllegalStateException(this.method.id().title() + ": " + this.template.getClass().getName()
					+ " returned null instead of lock '" + KeyText.of(request.key())
					+ "', as a mock of LockTemplate does. "
					+ "In a test use @AutoConfigureDistributedLocks instead of a mock, or let the mock return a LockHandle");
		}
		return answer;
	}

	@Nullable OuterTransaction transactions() {
		return this.transactions;
	}

	LockRequest request() {
		LockRequest request = this.method.request(this.target, this.invocation.getArguments());
		LockRequest limited = (this.transactions != null) ? this.transactions.withinTimeout(request) : request;
		this.asked = limited;
		return limited;
	}

	/**
	 * Returns the keys of the request. A second evaluation might yield different keys.
	 */
	List<String> keys() {
		LockRequest known = this.asked;
		return (known != null) ? known.keys() : List.of();
	}

	/**
	 * Copies the call, so that it can run later, several times and on any thread.
	 */
	LockedCall detach() {
		return new LockedCall(repeatable(this.invocation), this.target, this.method, this.template, this.transactions,
				true);
	}

	private static MethodInvocation repeatable(MethodInvocation call) {
		if (call instanceof MarkedInvocation passed) {
			return new MarkedInvocation(repeatable(passed.call()), passed.passage());
		}
		if (call instanceof RepeatableInvocation woven) {
			return woven.repeated();
		}
		return (call instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone() : call;
	}

	/** Runs the body, and passes the fencing token to the token parameter. */
	@Nullable Object proceed(LockHandle lock) throws Throwable {
		this.method.passToken(this.invocation.getArguments(), lock);
		return proceedBody();
	}

	/**
	 * Runs the body. In a detached call, other advice sees the invocation as it would on
	 * the calling thread.
	 */
	@Nullable Object proceedBody() throws Throwable {
		if (!this.detached) {
			return this.invocation.proceed();
		}
		return (this.invocation instanceof MarkedInvocation passed) ? passed.proceedExposed()
				: ExposeInvocationInterceptor.INSTANCE.invoke(this.invocation);
	}

}
