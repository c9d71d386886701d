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
import io.distlock.internal.key.Waiter;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several locks without a thread, all or none, like {@link SeveralLocks}. Only
 * one step is in progress at any time.
 */
final class AsyncSeveralLocks {

	private static final Runnable NOTHING = () -> {
	};

	private final CompletableFuture<LockHandle> future;

	private final SingleLocks locks;

	private final EngineContext context;

	private final KeysInOrder keys;

	/** Ends the waiting of the step in progress; set before that begins. */
	private volatile Runnable stop = NOTHING;

	AsyncSeveralLocks(LockRequest request, SingleLocks locks, EngineContext context) {
		this.locks = locks;
		this.context = context;
		this.future = context.newFuture();
		this.keys = new KeysInOrder(request, context);
	}

	CompletionStage<LockHandle> begin() {
		// A caller that completes its future in another way does not want the lock any
		// more.
		this.future.whenComplete((handle, failure) -> this.stop.run());
		try {
			next();
		}
		catch (RuntimeException | Error ex) {
			this.keys.end();
			throw ex;
		}
		return this.future;
	}

	/**
	 * Begins the next step. The step may end before this method does, on this or another
	 * thread, and begin a further one: after it nothing may be changed here.
	 */
	private void next() {
		if (this.keys.mayTryBatch()) {
			JointAttempt attempt = new JointAttempt(this.keys, this.locks, this.context);
			stoppedBy(attempt::cancel);
			attempt.begin(() -> tried(attempt));
		}
		else {
			LockRequest part = this.keys.first();
			CompletableFuture<LockHandle> current = this.locks.acquireAsync(part, this.keys.waiting(part));
			stoppedBy(() -> current.cancel(false));
			current.whenComplete(this::ended);
		}
	}

	/**
	 * Whichever comes first, this or the end of the future: the other one runs the
	 * action.
	 */
	private void stoppedBy(Runnable action) {
		this.stop = action;
		if (this.future.isDone()) {
			action.run();
		}
	}

	private void tried(JointAttempt attempt) {
		after(() -> {
			Waiter.Outcome outcome = attempt.settle();
			if (outcome instanceof Waiter.Outcome.Refused) {
				this.keys.refused();
			}
			else if (outcome != null && !(outcome instanceof Waiter.Outcome.Cancelled)) {
				SingleLocks.granted(outcome);
			}
			goOn();
		});
	}

	private void ended(@Nullable LockHandle handle, @Nullable Throwable failure) {
		after(() -> {
			if (handle == null) {
				giveBack(lossOr(failure));
				return;
			}
			this.keys.taken((HoldHandle) handle);
			goOn();
		});
	}

	/** Of the step that has ended there is nothing to stop. */
	private void after(Runnable step) {
		this.stop = NOTHING;
		try {
			step.run();
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
		else {
			this.keys.end();
			if (!this.future.complete(this.keys.asOne())) {
				giveBack(null);
			}
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
		this.keys.end();
		CompletionStage<?> ends = this.keys.giveBackAsync();
		if (cause instanceof LockStoreException) {
			this.future.completeExceptionally(cause);
		}
		else if (cause != null) {
			ends.thenRun(() -> this.future.completeExceptionally(cause));
		}
	}

}
