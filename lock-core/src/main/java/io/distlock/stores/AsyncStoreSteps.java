package io.distlock.stores;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockStoreException;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks in several stores without a thread, all or none. Only one step is in
 * progress at any time.
 */
final class AsyncStoreSteps {

	private final CompletableFuture<LockHandle> future = new CompletableFuture<>();

	private final TakenInStores taken = new TakenInStores();

	private final StoreSteps steps;

	private final Iterator<StoreSteps.Step> rest;

	private volatile @Nullable CompletableFuture<LockHandle> current;

	AsyncStoreSteps(StoreSteps steps) {
		this.steps = steps;
		this.rest = steps.steps().iterator();
	}

	CompletionStage<LockHandle> begin() {
		// A caller that completes its future in another way does not want the lock any
		// more.
		this.future.whenComplete((handle, failure) -> stopWaiting());
		next();
		return this.future;
	}

	private void stopWaiting() {
		CompletableFuture<LockHandle> waiting = this.current;
		if (waiting != null) {
			waiting.cancel(false);
		}
	}

	private void next() {
		StoreSteps.Step step = this.rest.next();
		CompletableFuture<LockHandle> waiting = step.template()
			.acquireAsync(this.steps.request(step))
			.toCompletableFuture();
		this.current = waiting;
		if (this.future.isDone()) {
			stopWaiting();
		}
		waiting.whenComplete((handle, failure) -> ended(step, handle, failure));
	}

	private void ended(StoreSteps.Step step, @Nullable LockHandle handle, @Nullable Throwable failure) {
		try {
			if (handle != null) {
				this.taken.add(step.key(), handle);
			}
			this.taken.ensureHeld();
			if (handle == null) {
				giveBack((failure != null) ? FutureFailures.unwrap(failure) : null);
			}
			else if (this.rest.hasNext() && !this.future.isDone()) {
				next();
			}
			else if (!this.future.complete(this.taken.together())) {
				giveBack(null);
			}
		}
		catch (LockException | IllegalStateException | IllegalArgumentException | UnsupportedOperationException ex) {
			giveBack(ex);
		}
	}

	/**
	 * Completes the future when all are released; at once after a store did not answer,
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
