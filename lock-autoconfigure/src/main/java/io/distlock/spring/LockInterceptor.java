package io.distlock.spring;

import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockTemplate;

/** Runs one method call under its lock. */
final class LockInterceptor implements MethodInterceptor {

	private static final String TRANSACTIONS = "org.springframework.transaction.support.TransactionSynchronizationManager";

	private final LockedMethods methods;

	private final Supplier<LockTemplate> template;

	private final @Nullable OuterTransaction transaction;

	LockInterceptor(LockedMethods methods, Supplier<LockTemplate> template) {
		this.methods = methods;
		this.template = template;
		this.transaction = ClassUtils.isPresent(TRANSACTIONS, LockInterceptor.class.getClassLoader())
				? new OuterTransaction() : null;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Assert.state(target != null, "A locked method needs a target");
		LockedMethod method = this.methods.get(invocation.getMethod(), target.getClass());
		LockHandle lock = this.template.get().acquire(method.request(target, invocation.getArguments()));
		method.passToken(invocation.getArguments(), lock);
		if (isLeftTo(this.transaction, lock, method)) {
			return proceedInTransaction(invocation, lock);
		}
		try (lock; LockContext.Scope scope = LockContext.enter(lock)) {
			return proceed(invocation, lock);
		}
	}

	private static boolean isLeftTo(@Nullable OuterTransaction transaction, LockHandle lock, LockedMethod method) {
		try {
			return transaction != null && transaction.releases(lock, method);
		}
		catch (RuntimeException | Error ex) {
			lock.close();
			throw ex;
		}
	}

	/** Closing is left to the transaction, telling a loss is not. */
	private static @Nullable Object proceedInTransaction(MethodInvocation invocation, LockHandle lock)
			throws Throwable {
		try (EndOfBody end = lock::ensureHeld; LockContext.Scope scope = LockContext.enter(lock)) {
			return proceed(invocation, lock);
		}
	}

	/** An interrupt that the loss caused is told as the loss. */
	private static @Nullable Object proceed(MethodInvocation invocation, LockHandle lock) throws Throwable {
		try {
			return invocation.proceed();
		}
		catch (Throwable ex) {
			LockLostException.replaceInterrupt(lock, ex);
			throw ex;
		}
	}

	/** A check whose failure is suppressed onto the body's own exception, if any. */
	private interface EndOfBody extends AutoCloseable {

		@Override
		void close();

	}

}
