package io.distlock.spring.intercept;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.core.publisher.SignalType;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockStoreException;
import io.distlock.support.FutureFailures;

/** One subscription to a method that returns a reactive type. */
final class ReactiveRun {

	private final ReactiveEnding ending = new ReactiveEnding();

	private final LockedCall call;

	private final NoLockPolicy policy;

	private final ReactiveAdapter adapter;

	private final @Nullable ReactiveOuterTransaction transactions;

	private volatile @Nullable Subscription body;

	ReactiveRun(LockedCall call, NoLockPolicy policy, ReactiveAdapter adapter,
			@Nullable ReactiveOuterTransaction transactions) {
		this.call = call;
		this.policy = policy;
		this.adapter = adapter;
		this.transactions = transactions;
	}

	Mono<Object> one(ReactiveLocks outer) {
		return begin(outer).flatMap((body) -> Mono.fromDirect(body))
			.flatMap((value) -> this.ending.run().thenReturn(value))
			.switchIfEmpty(Mono.defer(() -> this.ending.run().cast(Object.class)))
			.onErrorResume((failure) -> this.ending.run(failure))
			.doFinally(this::cancelled);
	}

	Flux<Object> many(ReactiveLocks outer) {
		return begin(outer).flatMapMany((body) -> body)
			.concatWith(Mono.defer(() -> this.ending.run().cast(Object.class)))
			.onErrorResume((failure) -> this.ending.run(failure))
			.doFinally(this::cancelled);
	}

	private void cancelled(SignalType signal) {
		if (signal == SignalType.CANCEL) {
			this.ending.cancel();
		}
	}

	/** Returns the body under its lock, or the answer of the policy. */
	private Mono<Publisher<Object>> begin(ReactiveLocks outer) {
		return Mono.defer(() -> acquire(outer))
			.map((lock) -> body(lock, outer.with(lock)))
			.onErrorResume(LockException.class, (reason) -> Mono.just(refused(reason)));
	}

	private Mono<LockHandle> acquire(ReactiveLocks outer) {
		LockRequest request = this.call.request();
		LockHandle nested = NestedCalls.shared(outer.all(), request);
		if (nested == null) {
			nested = NestedCalls.sharedOnThread(request, this.call.method().id());
		}
		if (this.transactions == null) {
			return (nested != null) ? Mono.just(this.ending.with(nested)) : acquire(request);
		}
		return (nested != null) ? leave(Mono.just(this.ending.with(nested)), this.transactions, true)
				: leave(this.transactions.heldBy(request).map(this.ending::with), this.transactions, true)
					.switchIfEmpty(leave(acquire(request), this.transactions, false));
	}

	/** Leaves the release to an open transaction. */
	private Mono<LockHandle> leave(Mono<LockHandle> held, ReactiveOuterTransaction transactions, boolean nested) {
		return held.flatMap((lock) -> transactions.releases(lock, this.call.method(), nested).map((left) -> {
			if (left) {
				this.ending.leave();
			}
			return lock;
		}));
	}

	private Mono<LockHandle> acquire(LockRequest request) {
		return Mono.create((sink) -> {
			CompletableFuture<LockHandle> acquisition = this.call.acquireAsync(request);
			this.ending.with(acquisition);
			Continuations.runOffCaller(acquisition, (lock, failure) -> acquired(request, lock, failure, sink));
		});
	}

	private void acquired(LockRequest request, @Nullable LockHandle lock, @Nullable Throwable failure,
			MonoSink<LockHandle> sink) {
		if (lock != null) {
			sink.success(this.ending.with(lock));
		}
		else if (failure != null && !this.ending.isCancelled()) {
			sink.error(FutureFailures.unwrap(failure));
		}
	}

	private Publisher<Object> refused(LockException reason) {
		if (!(reason instanceof LockBusyException || reason instanceof LockStoreException)) {
			return Mono.error(reason);
		}
		try {
			return publisher(this.policy.answer(this.call, reason));
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	private Publisher<Object> body(LockHandle lock, ReactiveLocks locks) {
		Publisher<Object> body = (subscriber) -> subscribe(lock, locks, subscriber);
		if (!LockScopes.cancelsOnLoss(lock)) {
			return body;
		}
		return this.adapter.isMultiValue() ? Flux.from(body).takeUntilOther(lossOf(lock))
				: Mono.fromDirect(body).takeUntilOther(lossOf(lock));
	}

	/**
	 * Fails after a loss, and cancels the body, because an error beside the body does not
	 * cancel it.
	 */
	private Mono<Void> lossOf(LockHandle lock) {
		return Mono.create((sink) -> {
			AtomicBoolean over = new AtomicBoolean();
			sink.onDispose(() -> over.set(true));
			lock.onLost((lost) -> {
				try {
					lost.ensureHeld();
				}
				catch (RuntimeException ex) {
					if (over.compareAndSet(false, true)) {
						cancelBody();
						sink.error(ex);
					}
				}
			});
		});
	}

	private void cancelBody() {
		Subscription running = this.body;
		if (running != null) {
			running.cancel();
		}
	}

	private void subscribe(LockHandle lock, ReactiveLocks locks, Subscriber<? super Object> subscriber) {
		if (!this.ending.beginSubscribe()) {
			Operators.complete(subscriber);
			return;
		}
		try {
			Publisher<Object> called = call(lock);
			Publisher<Object> known = this.adapter.isMultiValue()
					? Flux.from(called).contextWrite(locks::writeTo).doOnSubscribe(this::subscribed)
					: Mono.from(called).contextWrite(locks::writeTo).doOnSubscribe(this::subscribed);
			locks.whileSubscribing(() -> known.subscribe(subscriber));
		}
		finally {
			this.ending.endSubscribe();
		}
	}

	private void subscribed(Subscription subscription) {
		this.body = subscription;
	}

	private Publisher<Object> call(LockHandle lock) {
		try (LockScopes.Scope scope = LockScopes.enter(lock)) {
			Object body = this.call.proceed(lock);
			if (body == null) {
				throw new IllegalStateException(this.call.method().id().title() + ": it returned null instead of a "
						+ this.adapter.getReactiveType().getSimpleName()
						+ ". Return an empty one if there is nothing to do");
			}
			return this.adapter.toPublisher(body);
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	/**
	 * Turns an answer into a publisher. The answer is a publisher, or a value to publish.
	 */
	private static Publisher<Object> publisher(@Nullable Object answer) {
		if (answer == null) {
			return Mono.empty();
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(answer.getClass());
		return (adapter != null) ? adapter.toPublisher(answer) : Mono.just(answer);
	}

}
