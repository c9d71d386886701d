package io.distlock.spring.intercept;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapter;
import org.springframework.util.ClassUtils;

import io.distlock.LockException;
import io.distlock.spring.definition.DeferredTypes;

/**
 * Runs methods that return a reactive type. Each subscription takes the lock, calls the
 * body, and releases the lock when the body completes, fails or is cancelled.
 */
final class ReactiveStyle implements CallStyle {

	private static final String TRANSACTIONS = "org.springframework.transaction.reactive.TransactionSynchronizationManager";

	private final ReactiveAdapter adapter;

	private final @Nullable ReactiveOuterTransaction transactions;

	private ReactiveStyle(ReactiveAdapter adapter) {
		this.adapter = adapter;
		this.transactions = ClassUtils.isPresent(TRANSACTIONS, ReactiveStyle.class.getClassLoader())
				? new ReactiveOuterTransaction() : null;
	}

	/**
	 * Returns the style for a return type.
	 * @return {@code null} if the type may start work before a subscription, or cannot be
	 * made from a publisher
	 */
	static @Nullable ReactiveStyle of(Class<?> type) {
		ReactiveAdapter adapter = DeferredTypes.adapter(type);
		boolean suits = adapter != null && adapter.getDescriptor().isDeferred()
				&& type.isAssignableFrom(adapter.getReactiveType())
				&& !type.getName().equals("kotlinx.coroutines.Deferred");
		return suits ? new ReactiveStyle(Objects.requireNonNull(adapter)) : null;
	}

	/**
	 * Returns the style for suspend functions. Spring passes them to advice as a
	 * {@code Mono}, and accepts a {@code Mono} as the result.
	 */
	static ReactiveStyle forSuspendFunctions() {
		return Objects.requireNonNull(of(Mono.class));
	}

	@Override
	public Object run(LockedCall call, NoLockPolicy policy) {
		LockedCall detached = call.detach();
		Publisher<?> locked = this.adapter.isMultiValue()
				? Flux.deferContextual((context) -> newRun(detached, policy).many(ReactiveLocks.of(context)))
				: Mono.deferContextual((context) -> newRun(detached, policy).one(ReactiveLocks.of(context)));
		return this.adapter.fromPublisher(locked);
	}

	@Override
	public Object fail(LockException reason) {
		return this.adapter.fromPublisher(Mono.error(reason));
	}

	private ReactiveRun newRun(LockedCall call, NoLockPolicy policy) {
		return new ReactiveRun(call.detach(), policy, this.adapter, this.transactions);
	}

}
