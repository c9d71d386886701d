package io.distlock.internal;

import java.util.concurrent.CompletableFuture;

import io.distlock.LockHandle;
import io.distlock.LockRequest;

/**
 * One acquisition for which no thread waits: the housekeeper watches its time, and its
 * future is completed on a thread where the continuations may block.
 */
final class AsyncAcquisition {

	private final CompletableFuture<LockHandle> future;

	private final LockRequest request;

	private final LockEngine engine;

	private final AsyncWaiter waiter;

	AsyncAcquisition(LockRequest request, Wish wish, LockEngine engine, EngineContext context) {
		this.request = request;
		this.engine = engine;
		this.future = context.newFuture();
		this.waiter = new AsyncWaiter(wish, context.now(), (outcome) -> context.callBack(() -> complete(outcome)));
	}

	CompletableFuture<LockHandle> begin(LockTable table) {
		WaitingPlace place = table.join(this.request.key(), this.waiter);
		// A caller that cancels its future, or completes it in another way, has gone.
		this.future.whenComplete((handle, failure) -> place.cancel(this.waiter));
		return this.future;
	}

	private void complete(Waiter.Outcome outcome) {
		try {
			HoldHandle handle = this.engine.handle(this.request, outcome);
			if (!this.future.complete(handle)) {
				handle.giveBackAsync();
			}
		}
		catch (RuntimeException ex) {
			this.future.completeExceptionally(ex);
		}
	}

}
