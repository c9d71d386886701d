package io.distlock.spring.intercept;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionCallback;
import org.springframework.transaction.reactive.TransactionalOperator;

import io.distlock.spring.definition.KotlinMethods;
import io.distlock.spring.definition.LockAnnotations;

/**
 * Passes the locks of a subscription to the reactive transactions that begin in it, so
 * that {@link CommitGuard} can check the locks before the commit. It covers the
 * transactions of {@link Transactional} methods that return a {@code Mono} or
 * {@code Flux} or are Kotlin {@code suspend} functions, and of the context's
 * {@link TransactionalOperator} beans. Register it as an infrastructure bean if Reactor
 * is present.
 */
public final class ReactiveCommitGuard extends StaticMethodMatcherPointcutAdvisor implements BeanPostProcessor {

	private static final long serialVersionUID = 1L;

	private final boolean enabled;

	/**
	 * Creates a guard.
	 * @param enabled {@code false} for a guard that checks nothing
	 * @param lockOrder order of the lock, next to which the guard runs
	 */
	public ReactiveCommitGuard(boolean enabled, int lockOrder) {
		super((MethodInterceptor) (invocation) -> known(invocation.proceed()));
		setOrder((lockOrder < Ordered.LOWEST_PRECEDENCE) ? lockOrder + 1 : lockOrder);
		this.enabled = enabled;
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		if (!this.enabled || !mayBeReactive(method.getReturnType())) {
			return false;
		}
		Method specific = LockAnnotations.specific(method, targetClass);
		Class<?> type = specific.getReturnType();
		return (type == Mono.class || type == Flux.class || KotlinMethods.isSuspend(specific))
				&& (AnnotatedElementUtils.hasAnnotation(specific, Transactional.class)
						|| AnnotatedElementUtils.hasAnnotation(targetClass, Transactional.class));
	}

	/**
	 * Returns whether a method with this declared return type may return a {@code Mono}
	 * or {@code Flux}. A suspend function returns an object. This check runs for every
	 * method of every bean.
	 */
	private static boolean mayBeReactive(Class<?> declared) {
		return declared.isAssignableFrom(Mono.class) || declared.isAssignableFrom(Flux.class);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (this.enabled && bean instanceof TransactionalOperator operator) ? new Guarded(operator) : bean;
	}

	private static @Nullable Object known(@Nullable Object result) {
		if (result instanceof Mono<?> mono) {
			return mono(mono);
		}
		return (result instanceof Flux<?> flux) ? flux(flux) : result;
	}

	private static <T> Mono<T> mono(Mono<T> transactional) {
		return Mono.deferContextual((context) -> Mono.fromDirect(withLocks(transactional, ReactiveLocks.of(context))));
	}

	private static <T> Flux<T> flux(Flux<T> transactional) {
		return Flux.deferContextual((context) -> withLocks(transactional, ReactiveLocks.of(context)));
	}

	private static <T> Publisher<T> withLocks(Publisher<T> transactional, ReactiveLocks locks) {
		return locks.all().isEmpty() ? transactional
				: (subscriber) -> locks.whileSubscribing(() -> transactional.subscribe(subscriber));
	}

	/** An operator that passes the locks to its transactions. */
	private record Guarded(TransactionalOperator operator) implements TransactionalOperator {

		@Override
		public <T> Flux<T> transactional(Flux<T> flux) {
			return flux(this.operator.transactional(flux));
		}

		@Override
		public <T> Mono<T> transactional(Mono<T> mono) {
			return mono(this.operator.transactional(mono));
		}

		@Override
		public <T> Flux<T> execute(TransactionCallback<T> action) {
			return flux(this.operator.execute(action));
		}

	}

}
