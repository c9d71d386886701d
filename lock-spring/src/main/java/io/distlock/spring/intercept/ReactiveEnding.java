package io.distlock.spring.intercept;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import io.distlock.LockHandle;
import io.distlock.LockLostException;

/**
 * Ends the lock of one subscription exactly once, at whatever moment the cancellation
 * comes. It releases at once a lock that arrives later. It keeps the lock during the call
 * of the body and the subscription to it.
 */
final class ReactiveEnding {

	private final ReentrantLock monitor = new ReentrantLock();

	private volatile @Nullable Future<?> acquisition;

	private volatile @Nullable LockHandle lock;

	private volatile @Nullable CompletableFuture<@Nullable Void> released;

	private volatile boolean left;

	private volatile boolean cancelled;

	private volatile boolean subscribing;

	/** Cancels this future if the subscription is cancelled. */
	void with(Future<?> waiting) {
		this.acquisition = waiting;
		if (this.cancelled) {
			waiting.cancel(false);
		}
	}

	/** Releases this lock when the subscription ends. */
	LockHandle with(LockHandle held) {
		this.lock = held;
		if (this.cancelled) {
			release(held);
		}
		return held;
	}

	/** Leaves the release to an open transaction. */
	void leave() {
		this.left = true;
	}

	boolean isCancelled() {
		return this.cancelled;
	}

	/**
	 * Begins the call of the body.
	 * @return whether the body may be called
	 */
	boolean beginSubscribe() {
		this.monitor.lock();
		try {
			this.subscribing = !this.cancelled;
			return this.subscribing;
		}
		finally {
			this.monitor.unlock();
		}
	}

	void endSubscribe() {
		this.monitor.lock();
		try {
			this.subscribing = false;
		}
		finally {
			this.monitor.unlock();
		}
		if (this.cancelled) {
			releaseUnlessLeft();
		}
	}

	void cancel() {
		boolean wait;
		this.monitor.lock();
		try {
			this.cancelled = true;
			wait = this.subscribing;
		}
		finally {
			this.monitor.unlock();
		}
		Future<?> waiting = this.acquisition;
		if (waiting != null) {
			waiting.cancel(false);
		}
		if (!wait) {
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

	private CompletableFuture<@Nullable Void> release(LockHandle held) {
		this.monitor.lock();
		try {
			CompletableFuture<@Nullable Void> known = this.released;
			if (known != null) {
				return known;
			}
			CompletableFuture<@Nullable Void> release = held.closeAsync().toCompletableFuture();
			this.released = release;
			return release;
		}
		finally {
			this.monitor.unlock();
		}
	}

}
