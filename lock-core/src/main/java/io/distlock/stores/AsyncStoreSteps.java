package io.distlock.stores;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockHandle;
import io.distlock.LockStoreException;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks in several stores without a thread, all or none. Only one step is in
 * progress at any time.
 */
final class AsyncStoreSteps {

	private final CompletableFuture<LockHandle> future;

	private final TakenInStores taken = new TakenInStores();

	private final StoreSteps steps;

	private final StoreSteps.Step first;

	private final Iterator<StoreSteps.Step> rest;

	private volatile CompletableFuture<LockHandle> current;

	/**
	 * Begins to acquire the locks.
	 * @param steps what to acquire, at least one lock in one store
	 * @throws IllegalArgumentException if the first store refuses such a request
	 * @throws UnsupportedOperationException if the first store cannot do it
	 */
	AsyncStoreSteps(StoreSteps steps) {
		this.steps = steps;
		this.rest = steps.steps().iterator();
		this.first = this.rest.next();
		this.current = acquire(this.first);
		// Continuations run where those of the engine do.
		this.future = this.current.newIncompleteFuture();
	}

	private CompletableFuture<LockHandle> acquire(StoreSteps.Step step) {
		return step.template().acquireAsync(this.steps.request(step)).toCompletableFuture();
	}

	CompletionStage<LockHandle> begin() {
		// A caller that completes its future in another way does not want the lock any
		// more.
		this.future.whenComplete((handle, failure) -> this.current.cancel(false));
		whenEnded(this.first, this.current);
		return this.future;
	}

	private void next() {
		StoreSteps.Step step = this.rest.next();
		CompletableFuture<LockHandle> waiting = acquire(step);
		this.current = waiting;
		if (this.future.isDone()) {
			waiting.cancel(false);
		}
		whenEnded(step, waiting);
	}

	private void whenEnded(StoreSteps.Step step, CompletableFuture<LockHandle> waiting) {
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
		catch (Throwable ex) {
			// Whatever it is, nobody else gives the locks back.
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
