package io.distlock.spring;

import java.util.function.Supplier;

import io.distlock.LockTemplate;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/** Runs one method call under its lock. */
final class LockInterceptor implements MethodInterceptor {

	private static final String TRANSACTIONS = "org.springframework.transaction.support.TransactionSynchronizationManager";

	private final LockedMethods methods;

	private final Supplier<LockTemplate> template;

	private final @Nullable OuterTransaction transactions;

	private final NestedLocks nested = new NestedLocks();

	private final boolean passes;

	/**
	 * Creates an interceptor.
	 * @param methods the annotated methods
	 * @param template where to acquire locks
	 * @param passes whether to tell woven methods that the call is locked already
	 */
	LockInterceptor(LockedMethods methods, Supplier<LockTemplate> template, boolean passes) {
		this.passes = passes;
		this.methods = methods;
		this.template = template;
		this.transactions = ClassUtils.isPresent(TRANSACTIONS, LockInterceptor.class.getClassLoader())
				? new OuterTransaction() : null;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		MethodInvocation body = this.passes ? new PassedInvocation(invocation, Passage.of(invocation)) : invocation;
		LockedCall call = LockedCall.of(body, this.methods, this.template.get(), this.transactions, this.nested);
		return call.method().style().run(call);
	}

}
