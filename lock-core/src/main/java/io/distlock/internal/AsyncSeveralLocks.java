package io.distlock.internal;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.internal.key.EngineContext;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several locks without a thread, all or none, like {@link SeveralLocks}. Only
 * one step is in progress at any time.
 */
final class AsyncSeveralLocks {

	private final CompletableFuture<LockHandle> future;

	private final SingleLocks locks;

	private final KeysInOrder keys;

	private volatile @Nullable CompletableFuture<LockHandle> current;

	AsyncSeveralLocks(LockRequest request, SingleLocks locks, EngineContext context) {
		this.locks = locks;
		this.future = context.newFuture();
		this.keys = new KeysInOrder(request, context);
	}

	CompletionStage<LockHandle> begin() {
		// If the caller completes or cancels the future, the wait ends.
		this.future.whenComplete((handle, failure) -> cancelCurrent());
		next();
		return this.future;
	}

	/**
	 * Begins to acquire the next lock. That may end before this method does, on this or
	 * another thread, and begin a further one: after it nothing may be changed here.
	 */
	private void next() {
		LockRequest part = this.keys.next();
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(part, this.keys.options(part));
		this.current = waiting;
		if (this.future.isDone()) {
			cancelCurrent();
		}
		waiting.whenComplete(this::ended);
	}

	/** Does nothing to one that has ended. */
	private void cancelCurrent() {
		CompletableFuture<LockHandle> waiting = this.current;
		if (waiting != null) {
			waiting.cancel(false);
		}
	}

	private void ended(@Nullable LockHandle handle, @Nullable Throwable failure) {
		try {
			if (handle == null) {
				giveBack(lossOr(failure));
			}
			else {
				this.keys.taken((HoldHandle) handle);
				goOn();
			}
		}
		// No caller would learn of an error on this thread, nor release what was taken.
		catch (RuntimeException | Error ex) {
			giveBack(ex);
		}
	}

	private void goOn() {
		Optional<LockLostException> loss = this.keys.loss();
		if (loss.isPresent()) {
			giveBack(loss.get());
		}
		else if (this.future.isDone()) {
			giveBack(null);
		}
		else if (this.keys.hasNext()) {
			next();
		}
		else if (!this.future.complete(this.keys.asOne())) {
			giveBack(null);
		}
	}

	/** The loss of an earlier lock matters more than that the last one was busy. */
	private @Nullable Throwable lossOr(@Nullable Throwable failure) {
		Throwable told = (failure != null) ? FutureFailures.unwrap(failure) : null;
		return (told instanceof LockBusyException) ? this.keys.loss().map(Throwable.class::cast).orElse(told) : told;
	}

	/**
	 * Completes the future when all are released; at once after the store did not answer,
	 * because the caller has waited for it already.
	 */
	private void giveBack(@Nullable Throwable cause) {
		CompletionStage<?> ends = this.keys.giveBackAsync();
		if (cause instanceof LockStoreException) {
			this.future.completeExceptionally(cause);
		}
		else if (cause != null) {
			ends.thenRun(() -> this.future.completeExceptionally(cause));
		}
	}

}
