package io.distlock.spring.intercept;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.support.FutureFailures;

/**
 * Ends the lock of one subscription exactly once, at whatever moment the cancellation
 * comes. A lock that arrives later is released at once. A cancelled subscription keeps
 * its lock while the body is being called, and until the cancellation has reached the
 * body, which another thread may do.
 */
final class ReactiveEnding {

	private static final int CANCELLED = 1;

	private static final int SUBSCRIBING = 2;

	private static final int BODY = 4;

	private final AtomicInteger state = new AtomicInteger();

	private final AtomicBoolean releasing = new AtomicBoolean();

	private final CompletableFuture<@Nullable Void> released = new CompletableFuture<>();

	private volatile @Nullable Future<?> acquisition;

	private volatile @Nullable LockHandle lock;

	private volatile boolean left;

	/** Cancels this future if the subscription is cancelled. */
	void with(Future<?> waiting) {
		this.acquisition = waiting;
		if (isCancelled()) {
			waiting.cancel(false);
		}
	}

	/** Releases this lock when the subscription ends. */
	LockHandle with(LockHandle held) {
		this.lock = held;
		if (isCancelled()) {
			release(held);
		}
		return held;
	}

	/** Leaves the release to an open transaction. */
	void leave() {
		this.left = true;
	}

	boolean isCancelled() {
		return (this.state.get() & CANCELLED) != 0;
	}

	/**
	 * Begins the call of the body.
	 * @return whether the body may be called
	 */
	boolean beginSubscribe() {
		return this.state.compareAndSet(0, SUBSCRIBING);
	}

	void endSubscribe() {
		change((now) -> now & ~SUBSCRIBING);
	}

	void bodyBegins() {
		change((now) -> now | BODY);
	}

	/** The body has completed, has failed or has been cancelled. */
	void bodyEnds() {
		change((now) -> now & ~BODY);
	}

	void cancel() {
		change((now) -> now | CANCELLED);
		Future<?> waiting = this.acquisition;
		if (waiting != null) {
			waiting.cancel(false);
		}
	}

	private void change(IntUnaryOperator change) {
		if (this.state.updateAndGet(change) == CANCELLED) {
			releaseUnlessLeft();
		}
	}

	private void releaseUnlessLeft() {
		LockHandle held = this.lock;
		if (held != null && !this.left) {
			release(held);
		}
	}

	/** Ends the lock after the body has completed. */
	Mono<Void> run() {
		return Mono.defer(() -> {
			LockHandle held = this.lock;
			if (held == null) {
				return Mono.empty();
			}
			return this.left ? Mono.fromRunnable(held::ensureHeld) : Mono.fromFuture(release(held), true).then();
		});
	}

	/** Ends the lock after the body, or a step before or after it, has failed. */
	<T> Mono<T> run(Throwable failure) {
		return run().onErrorMap((loss) -> withLoss(failure, loss)).then(Mono.error(failure));
	}

	private static Throwable withLoss(Throwable failure, Throwable loss) {
		if (failure != loss && !(failure instanceof LockLostException)) {
			failure.addSuppressed(loss);
		}
		return failure;
	}

	/** Begins the release once, even if code that the release calls cancels meanwhile. */
	private CompletableFuture<@Nullable Void> release(LockHandle held) {
		if (this.releasing.compareAndSet(false, true)) {
			held.closeAsync().whenComplete((done, failure) -> {
				if (failure != null) {
					this.released.completeExceptionally(FutureFailures.unwrap(failure));
				}
				else {
					this.released.complete(null);
				}
			});
		}
		return this.released;
	}

}
