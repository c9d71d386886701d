package io.distlock.spring.intercept;

import java.util.Arrays;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

import io.distlock.LockTemplate;
import io.distlock.observe.LockNotTaken;
import io.distlock.spring.LockConditionException;
import io.distlock.spring.definition.LockedMethod;

/** Runs one method call under its lock. */
public final class LockInterceptor implements MethodInterceptor {

	private static final String TRANSACTIONS = "org.springframework.transaction.support.TransactionSynchronizationManager";

	private final Invokers invokers;

	private final Supplier<LockTemplate> template;

	private final @Nullable OuterTransaction transactions;

	private final boolean passes;

	/**
	 * Creates an interceptor.
	 * @param invokers run the annotated methods
	 * @param template acquires the locks
	 * @param passes whether to mark calls, so that woven methods do not lock them again
	 */
	LockInterceptor(Invokers invokers, Supplier<LockTemplate> template, boolean passes) {
		this.passes = passes;
		this.invokers = invokers;
		this.template = template;
		this.transactions = ClassUtils.isPresent(TRANSACTIONS, LockInterceptor.class.getClassLoader())
				? new OuterTransaction() : null;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		if (LockedByProxy.hasLocked(invocation)) {
			return this.passes ? invocation.proceed() : new MarkedInvocation(invocation, null).proceed();
		}
		MethodInvocation body = (this.passes || isOn(invocation.getThis()))
				? new MarkedInvocation(invocation, LockedByProxy.of(invocation)) : invocation;
		Object target = body.getThis();
		Assert.state(target != null, "A locked method needs a target");
		Invoker invoker = this.invokers.get(body.getMethod(), target.getClass());
		LockedMethod method = invoker.method();
		LockedCall call = new LockedCall(body, target, method, this.template.get(), this.transactions);
		LockNotTaken.Reason notTaken;
		try {
			notTaken = method.reasonNotTaken(target, body.getArguments());
		}
		catch (LockConditionException ex) {
			return invoker.style().fail(ex);
		}
		return (notTaken != null) ? invoker.unlocked().run(call, notTaken)
				: invoker.style().run(call, invoker.policy());
	}

	/**
	 * Returns whether an object is a proxy that takes locks. The target of a proxy is one
	 * where two creators of proxies are at work, and then the outer proxy takes the lock.
	 * @param object the object, perhaps a proxy
	 * @return {@code true} if calls of its annotated methods take their locks
	 */
	public static boolean isOn(@Nullable Object object) {
		return object instanceof Advised advised && Arrays.stream(advised.getAdvisors())
			.anyMatch((advisor) -> advisor.getAdvice() instanceof LockInterceptor);
	}

}
