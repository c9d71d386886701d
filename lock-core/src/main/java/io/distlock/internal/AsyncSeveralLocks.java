package io.distlock.internal;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;

/**
 * Acquires all of several locks or none, like {@link SeveralLocks}, but without a thread.
 * Only one step is in progress at any time.
 */
final class AsyncSeveralLocks {

	private final CompletableFuture<LockHandle> future;

	private final SingleLocks locks;

	private final KeysInOrder keys;

	private final BiConsumer<@Nullable LockHandle, @Nullable Throwable> ended = this::ended;

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
	 * Begins to acquire the next lock. The acquisition may end before this method
	 * returns, and then the next one begins, on this thread or another one. So this
	 * method must change nothing after it has begun the acquisition.
	 */
	private void next() {
		LockRequest part = this.keys.next();
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(part, this.keys.options(part));
		try {
			this.current = waiting;
			if (this.future.isDone()) {
				cancelCurrent();
			}
			waiting.whenComplete(this.ended);
		}
		catch (RuntimeException | Error ex) {
			LockScopes.giveUp(waiting);
			throw ex;
		}
	}

	/**
	 * Cancels the acquisition in progress. An acquisition that has ended stays as it is.
	 */
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
		// An error on this thread would reach no caller, and the locks that were
		// acquired would never be released.
		catch (RuntimeException | Error ex) {
			this.keys.abandon();
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

	/**
	 * Returns the failure of the last lock. If that lock was only busy and an earlier
	 * lock was lost, returns the loss, which matters more.
	 */
	private @Nullable Throwable lossOr(@Nullable Throwable failure) {
		Throwable told = (failure != null) ? FutureFailures.unwrap(failure) : null;
		return (told instanceof LockBusyException) ? this.keys.loss().map(Throwable.class::cast).orElse(told) : told;
	}

	/**
	 * Releases all locks, and then completes the future. If the store did not answer, the
	 * future completes at once, because the caller has already waited for the store.
	 */
	private void giveBack(@Nullable Throwable cause) {
		try {
			CompletionStage<?> ends = this.keys.giveBackAsync();
			if (cause instanceof LockStoreException) {
				this.future.completeExceptionally(cause);
			}
			else if (cause != null) {
				ends.thenRun(() -> this.future.completeExceptionally(cause));
			}
		}
		catch (RuntimeException | Error ex) {
			this.keys.abandon();
			this.future.completeExceptionally((cause != null) ? cause : ex);
		}
	}

}
