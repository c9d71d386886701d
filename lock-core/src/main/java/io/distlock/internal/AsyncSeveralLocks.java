package io.distlock.internal;

import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.internal.key.AcquireOptions;
import io.distlock.internal.key.EngineContext;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several locks without a thread, all or none, one after the other. Only one
 * step is in progress at any time.
 */
final class AsyncSeveralLocks {

	private final CompletableFuture<LockHandle> future;

	private final TakenLocks taken = new TakenLocks();

	private final SingleLocks locks;

	private final EngineContext context;

	private final Iterator<LockRequest> parts;

	private final long giveUp;

	private volatile @Nullable CompletableFuture<LockHandle> step;

	AsyncSeveralLocks(LockRequest request, SingleLocks locks, EngineContext context) {
		this.locks = locks;
		this.context = context;
		this.future = context.newFuture();
		this.parts = request.keys().stream().map(request::forKey).iterator();
		this.giveUp = context.now() + context.waitNanos(request);
	}

	CompletionStage<LockHandle> begin() {
		// A caller that completes its future in another way does not want the lock any
		// more.
		this.future.whenComplete((handle, failure) -> stopWaiting());
		next();
		return this.future;
	}

	private void stopWaiting() {
		CompletableFuture<LockHandle> current = this.step;
		if (current != null) {
			current.cancel(false);
		}
	}

	private void next() {
		LockRequest part = this.parts.next();
		AcquireOptions options = this.context.acquireOptions(part, Math.max(0, this.giveUp - this.context.now()));
		CompletableFuture<LockHandle> current = this.locks.acquireAsync(part, options);
		this.step = current;
		if (this.future.isDone()) {
			stopWaiting();
		}
		current.whenComplete(this::ended);
	}

	private void ended(@Nullable LockHandle handle, @Nullable Throwable failure) {
		if (handle == null) {
			giveBack(lossOr(failure));
			return;
		}
		this.taken.add((HoldHandle) handle);
		Optional<LockLostException> loss = this.taken.loss();
		if (loss.isPresent()) {
			giveBack(loss.get());
		}
		else if (this.parts.hasNext() && !this.future.isDone()) {
			next();
		}
		else if (!this.future.complete(this.taken.together())) {
			giveBack(null);
		}
	}

	/** The loss of an earlier lock matters more than that the last one was busy. */
	private @Nullable Throwable lossOr(@Nullable Throwable failure) {
		Throwable told = (failure != null) ? FutureFailures.unwrap(failure) : null;
		return (told instanceof LockBusyException) ? this.taken.loss().map(Throwable.class::cast).orElse(told) : told;
	}

	/**
	 * Completes the future when all are released; at once after the store did not answer,
	 * because the caller has waited for it already.
	 */
	private void giveBack(@Nullable Throwable cause) {
		CompletionStage<?> ends = this.taken.giveBackAsync();
		if (cause instanceof LockStoreException) {
			this.future.completeExceptionally(cause);
		}
		else if (cause != null) {
			ends.thenRun(() -> this.future.completeExceptionally(cause));
		}
	}

}
