package io.distlock.spring.intercept;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
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
		return this.adapter.fromPublisher(this.adapter.isMultiValue()
				? Flux.defer(() -> ReactiveRun.flux(new Subscribed(detached.detach(), policy)))
				: Mono.defer(() -> ReactiveRun.mono(new Subscribed(detached.detach(), policy))));
	}

	@Override
	public Object fail(LockException reason) {
		return this.adapter.fromPublisher(Mono.error(reason));
	}

	/** The call of the method for one subscription. */
	private final class Subscribed implements ReactiveCall<Object> {

		private final LockedCall call;

		private final NoLockPolicy policy;

		private Subscribed(LockedCall call, NoLockPolicy policy) {
			this.call = call;
			this.policy = policy;
		}

		@Override
		public String place() {
			return this.call.method().id().title();
		}

		@Override
		public LockRequest request() {
			return this.call.request();
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
			this.call.leavesThread();
			return this.call.acquireAsync(request);
		}

		@Override
		public Mono<Boolean> leaves(LockHandle lock, boolean nested) {
			ReactiveOuterTransaction open = ReactiveStyle.this.transactions;
			return (open != null) ? open.releases(lock, this.call.method(), nested) : Mono.just(false);
		}

		@Override
		public Publisher<Object> proceed(LockHandle lock) throws Throwable {
			ReactiveAdapter adapter = ReactiveStyle.this.adapter;
			Object body = this.call.proceed(lock);
			if (body == null) {
				throw new IllegalStateException(
						place() + ": it returned null instead of a " + adapter.getReactiveType().getSimpleName()
								+ ". Return an empty one if there is nothing to do");
			}
			return adapter.toPublisher(body);
		}

		@Override
		public Publisher<Object> refused(LockException reason) throws Throwable {
			return (reason instanceof LockBusyException || reason instanceof LockStoreException)
					? publisher(this.policy.answer(this.call, reason)) : Mono.error(reason);
		}

		/** Publishes an answer, unless it is a publisher already. */
		private static Publisher<Object> publisher(@Nullable Object answer) {
			if (answer == null) {
				return Mono.empty();
			}
			ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(answer.getClass());
			return (adapter != null) ? adapter.toPublisher(answer) : Mono.just(answer);
		}

	}

}
