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

import org.springframework.util.ClassUtils;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.support.FutureFailures;

/** One subscription to a publisher that runs under its lock. */
public final class ReactiveRun<T> {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.reactive.TransactionSynchronizationManager",
			ReactiveRun.class.getClassLoader());

	private final ReactiveEnding ending = new ReactiveEnding();

	private final ReactiveCall<T> call;

	private volatile @Nullable Subscription body;

	private ReactiveRun(ReactiveCall<T> call) {
		this.call = call;
	}

	/**
	 * Returns a publisher of at most one element that takes the lock at each
	 * subscription. It completes after the release.
	 * @param call what to run
	 * @param <T> the element
	 * @return the publisher
	 */
	public static <T> Mono<T> mono(ReactiveCall<T> call) {
		return Mono.deferContextual((context) -> new ReactiveRun<>(call).one(ReactiveLocks.of(context)));
	}

	/**
	 * Returns a publisher of any number of elements that takes the lock at each
	 * subscription. It completes after the release.
	 * @param call what to run
	 * @param <T> the elements
	 * @return the publisher
	 */
	public static <T> Flux<T> flux(ReactiveCall<T> call) {
		return Flux.deferContextual((context) -> new ReactiveRun<>(call).many(ReactiveLocks.of(context)));
	}

	private Mono<T> one(ReactiveLocks outer) {
		return begin(outer).flatMap((body) -> Flux.from(body).singleOrEmpty().singleOptional())
			.flatMap((value) -> this.ending.run().then(Mono.justOrEmpty(value)))
			.onErrorResume((failure) -> this.ending.run(failure))
			.doFinally(this::cancelled);
	}

	private Flux<T> many(ReactiveLocks outer) {
		return begin(outer).flatMapMany((body) -> body)
			.concatWith(Mono.defer(() -> this.ending.run().then(Mono.empty())))
			.onErrorResume((failure) -> this.ending.run(failure))
			.doFinally(this::cancelled);
	}

	private void cancelled(SignalType signal) {
		if (signal == SignalType.CANCEL) {
			this.ending.cancel();
		}
	}

	/** Returns the body under its lock, or the answer to a refusal. */
	private Mono<Publisher<T>> begin(ReactiveLocks outer) {
		return Mono.defer(() -> acquire(outer))
			.map((lock) -> body(lock, outer.with(lock)))
			.onErrorResume(LockException.class, (reason) -> Mono.just(refused(reason)));
	}

	private Mono<LockHandle> acquire(ReactiveLocks outer) {
		LockRequest request = this.call.request();
		LockHandle nested = NestedCalls.shared(outer.all(), request);
		if (nested == null) {
			nested = NestedCalls.sharedOnThread(request, this.call.place());
		}
		Mono<LockHandle> shared = (nested != null) ? Mono.just(this.ending.with(nested)) : heldByTransaction(request);
		return shared.flatMap((lock) -> leave(lock, true))
			.switchIfEmpty(acquire(request).flatMap((lock) -> leave(lock, false)));
	}

	private Mono<LockHandle> heldByTransaction(LockRequest request) {
		return TRANSACTIONS ? ReactiveOuterTransaction.heldBy(request).map(this.ending::with) : Mono.empty();
	}

	/** Leaves the release to an open transaction. */
	private Mono<LockHandle> leave(LockHandle lock, boolean nested) {
		return this.call.leaves(lock, nested).map((left) -> {
			if (left) {
				this.ending.leave();
			}
			return lock;
		});
	}

	private Mono<LockHandle> acquire(LockRequest request) {
		return Mono.create((sink) -> {
			CompletableFuture<LockHandle> acquisition = this.call.acquireAsync(request);
			this.ending.with(acquisition);
			Continuations.runOffCaller(acquisition, (lock, failure) -> acquired(lock, failure, sink));
		});
	}

	private void acquired(@Nullable LockHandle lock, @Nullable Throwable failure, MonoSink<LockHandle> sink) {
		if (lock != null) {
			sink.success(this.ending.with(lock));
		}
		else if (failure != null && !this.ending.isCancelled()) {
			sink.error(FutureFailures.unwrap(failure));
		}
	}

	private Publisher<T> refused(LockException reason) {
		try {
			return this.call.refused(reason);
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	private Publisher<T> body(LockHandle lock, ReactiveLocks locks) {
		Flux<T> body = Flux.from((subscriber) -> subscribe(lock, locks, subscriber));
		return LockScopes.cancelsOnLoss(lock) ? body.takeUntilOther(lossOf(lock)) : body;
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

	private void subscribe(LockHandle lock, ReactiveLocks locks, Subscriber<? super T> subscriber) {
		if (!this.ending.beginSubscribe()) {
			Operators.complete(subscriber);
			return;
		}
		try {
			Flux<T> known = Flux.from(call(lock))
				.contextWrite(locks::writeTo)
				.doFinally((signal) -> this.ending.bodyEnds())
				.doOnSubscribe(this::subscribed);
			locks.whileSubscribing(() -> known.subscribe(subscriber));
		}
		catch (Throwable ex) {
			// Reactor throws fatal errors to its caller, and nobody gets a signal.
			this.ending.bodyEnds();
			this.ending.cancel();
			throw ex;
		}
		finally {
			this.ending.endSubscribe();
		}
	}

	private void subscribed(Subscription subscription) {
		this.body = subscription;
		this.ending.bodyBegins();
	}

	private Publisher<T> call(LockHandle lock) {
		try (LockScopes.Scope scope = LockScopes.enter(lock)) {
			return this.call.proceed(lock);
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

}
