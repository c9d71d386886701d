package io.distlock.spring.reactive;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.OnLost;
import io.distlock.spring.ReactiveLockContext;
import io.distlock.spring.intercept.ReactiveCall;
import io.distlock.spring.intercept.ReactiveRun;
import io.distlock.support.KeyText;

/**
 * Runs reactive bodies under the locks of a {@link LockTemplate}, and never blocks a
 * thread. Each subscription acquires the lock, calls the body and subscribes to its
 * result. When the body completes, fails or is cancelled, the lock is released. The
 * result completes or fails after the release. Templates are thread-safe.
 * <p>
 * The owner is the subscription, and the lock travels with the Reactor context.
 * {@link ReactiveLockContext} gives access to it. A nested body for the same key shares
 * the lock, whether it belongs to this template or to a method with
 * {@link io.distlock.DistributedLock}. While the body function is called, the lock is
 * {@link LockContext#current()} too.
 * <p>
 * The result fails as {@link LockTemplate#acquireAsync(LockRequest)} does if the lock is
 * not acquired, and with {@link LockLostException} if the body completed but the lock was
 * lost meanwhile. If the body failed, a loss is added to its failure as a suppressed
 * exception. With {@link OnLost#INTERRUPT}, a loss cancels the body at once. Methods with
 * a {@code String} use the defaults of the {@link LockTemplate}.
 */
public final class ReactiveLockTemplate {

	private final LockTemplate locks;

	/**
	 * Creates a template.
	 * @param locks acquires the locks
	 */
	public ReactiveLockTemplate(LockTemplate locks) {
		this.locks = locks;
	}

	/**
	 * Runs a body with at most one element under the lock.
	 * @param request the lock and its options
	 * @param body starts the work; never called without the lock
	 * @param <T> the element
	 * @return the element of the body, once for each subscription
	 */
	public <T> Mono<T> mono(LockRequest request, Function<? super LockHandle, ? extends Mono<T>> body) {
		return ReactiveRun.mono(new Body<>(this.locks, request, body, false));
	}

	/**
	 * Runs a body with any number of elements under the lock. Elements pass through as
	 * they arrive, so the lock is held for as long as the subscriber takes them.
	 * @param request the lock and its options
	 * @param body starts the work; never called without the lock
	 * @param <T> the elements
	 * @return the elements of the body, anew for each subscription
	 */
	public <T> Flux<T> flux(LockRequest request, Function<? super LockHandle, ? extends Publisher<T>> body) {
		return ReactiveRun.flux(new Body<>(this.locks, request, body, false));
	}

	/**
	 * Runs a body like {@link #mono(LockRequest, Function)}, but is empty if the lock
	 * stayed busy for the request's wait time.
	 * @param request the lock and its options
	 * @param body starts the work; never called without the lock. It must not complete
	 * empty, because that would look like a busy lock, and so fails with an
	 * {@link IllegalStateException}
	 * @param <T> the element
	 * @return the element of the body, or empty if the body did not run
	 */
	public <T> Mono<T> tryMono(LockRequest request, Function<? super LockHandle, ? extends Mono<T>> body) {
		return ReactiveRun.mono(new Body<>(this.locks, request, body, true));
	}

	/**
	 * Runs a body like {@link #mono(LockRequest, Function)}.
	 * @param key the lock's identity, not blank
	 * @param body starts the work; never called without the lock
	 * @param <T> the element
	 * @return the element of the body, once for each subscription
	 */
	public <T> Mono<T> mono(String key, Function<? super LockHandle, ? extends Mono<T>> body) {
		return mono(LockRequest.of(key), body);
	}

	/**
	 * Runs a body like {@link #flux(LockRequest, Function)}.
	 * @param key the lock's identity, not blank
	 * @param body starts the work; never called without the lock
	 * @param <T> the elements
	 * @return the elements of the body, anew for each subscription
	 */
	public <T> Flux<T> flux(String key, Function<? super LockHandle, ? extends Publisher<T>> body) {
		return flux(LockRequest.of(key), body);
	}

	/**
	 * Runs a body like {@link #tryMono(LockRequest, Function)}, but tries exactly once to
	 * acquire the lock.
	 * @param key the lock's identity, not blank
	 * @param body starts the work; never called without the lock, and must not complete
	 * empty
	 * @param <T> the element
	 * @return the element of the body, or empty if the body did not run
	 */
	public <T> Mono<T> tryMono(String key, Function<? super LockHandle, ? extends Mono<T>> body) {
		return tryMono(LockRequest.of(key).waitAtMost(Duration.ZERO), body);
	}

	/**
	 * A body and its lock.
	 *
	 * @param <T> the elements
	 * @param tries whether a busy lock is an empty result
	 */
	private record Body<T>(LockTemplate locks, LockRequest request,
			Function<? super LockHandle, ? extends @Nullable Publisher<T>> body,
			boolean tries) implements ReactiveCall<T> {

		@Override
		public String place() {
			return "The body under lock '" + KeyText.of(this.request.key()) + "'";
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
			return this.locks.acquireAsync(request).toCompletableFuture();
		}

		@Override
		public Publisher<T> proceed(LockHandle lock) {
			Publisher<T> work = this.body.apply(lock);
			if (work == null) {
				throw new IllegalStateException(place()
						+ " returned null instead of a publisher. Return an empty one if there is nothing to do");
			}
			return this.tries ? Flux.from(work).switchIfEmpty(Mono.error(this::looksBusy)) : work;
		}

		private IllegalStateException looksBusy() {
			return new IllegalStateException(
					place() + " completed empty, which would look like a busy lock. Emit an element, for instance with "
							+ "thenReturn(true), or use mono(...)");
		}

		@Override
		public Publisher<T> refused(LockException reason) {
			return (this.tries && reason instanceof LockBusyException) ? Mono.empty() : Mono.error(reason);
		}

	}

}
