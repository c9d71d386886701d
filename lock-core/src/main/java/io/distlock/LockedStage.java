package io.distlock;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.distlock.support.FutureFailures;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Runs one asynchronous body under a lock. The lock is released when the body's stage
 * completes, or at once if the body returns no stage.
 *
 * @param <T> the result
 */
final class LockedStage<T extends @Nullable Object> {

	/** The caller gets this future, and may complete or cancel it. */
	private final CompletableFuture<T> result = new CompletableFuture<>();

	private final Function<? super LockHandle, ? extends @Nullable CompletionStage<T>> body;

	LockedStage(Function<? super LockHandle, ? extends @Nullable CompletionStage<T>> body) {
		this.body = body;
	}

	/**
	 * Begins when the lock is acquired. A caller that completes the result gives up the
	 * lock.
	 */
	CompletableFuture<T> after(CompletableFuture<LockHandle> acquisition) {
		try {
			this.result.whenComplete((value, failure) -> acquisition.cancel(false));
			acquisition.whenComplete((lock, failure) -> {
				if (lock != null) {
					under(lock);
				}
				else {
					this.result.completeExceptionally(unwrap(failure));
				}
			});
			return this.result;
		}
		catch (RuntimeException | Error ex) {
			giveUp(acquisition);
			throw ex;
		}
	}

	static void giveUp(CompletableFuture<LockHandle> acquisition) {
		if (!acquisition.cancel(false) && !acquisition.isCompletedExceptionally()) {
			acquisition.join().closeAsync();
		}
	}

	/**
	 * Begins under a lock. Whatever is thrown from here on ends the body, because no
	 * other code releases the lock.
	 */
	CompletableFuture<T> under(LockHandle lock) {
		try {
			if (this.result.isDone()) {
				lock.closeAsync();
			}
			else {
				await(call(lock), lock);
			}
		}
		catch (Throwable ex) {
			end(lock, null, ex);
		}
		return this.result;
	}

	private void await(CompletionStage<T> stage, LockHandle lock) {
		this.result.whenComplete((value, failure) -> {
			if (this.result.isCancelled()) {
				cancel(stage);
			}
		});
		if (lock instanceof EngineHandle handle && handle.reactionToLoss() == OnLost.INTERRUPT) {
			lock.onLost((lost) -> cancel(stage));
		}
		stage.whenComplete((value, failure) -> end(lock, value, failure));
	}

	private CompletionStage<T> call(LockHandle lock) {
		try (LockContext.Scope scope = LockContext.enter(lock)) {
			CompletionStage<T> stage = this.body.apply(lock);
			return (stage != null) ? stage
					: CompletableFuture.failedFuture(new IllegalStateException("The body under lock '"
							+ KeyText.of(lock.key()) + "' returned null instead of a stage, so the end of its work is "
							+ "not known. Return CompletableFuture.completedFuture(null) if the work is done"));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static void cancel(CompletionStage<?> stage) {
		try {
			stage.toCompletableFuture().cancel(true);
		}
		catch (UnsupportedOperationException ex) {
			// This stage cannot be cancelled. The lock is held until it completes.
		}
	}

	private void end(LockHandle lock, @Nullable T value, @Nullable Throwable failure) {
		try {
			lock.closeAsync().whenComplete((released, loss) -> complete(value, failure, loss));
		}
		catch (Throwable ex) {
			this.result.completeExceptionally((failure != null) ? failure : ex);
		}
	}

	@SuppressWarnings("NullAway") // a null result is valid if T may be null
	private void complete(@Nullable T value, @Nullable Throwable failure, @Nullable Throwable loss) {
		try {
			if (loss != null) {
				this.result.completeExceptionally(withLoss(failure, unwrap(loss)));
			}
			else if (failure != null) {
				this.result.completeExceptionally(failure);
			}
			else {
				this.result.complete(value);
			}
		}
		catch (Throwable ex) {
			this.result.completeExceptionally((failure != null) ? failure : ex);
		}
	}

	/** Returns the loss if it ended the body, otherwise the body's failure. */
	private static Throwable withLoss(@Nullable Throwable failure, Throwable loss) {
		if (failure == null) {
			return loss;
		}
		Throwable own = unwrap(failure);
		if (own == loss) {
			return loss;
		}
		if (own instanceof CancellationException && loss instanceof LockLostException) {
			loss.addSuppressed(own);
			return loss;
		}
		own.addSuppressed(loss);
		return failure;
	}

	private static Throwable unwrap(@Nullable Throwable failure) {
		return (failure != null) ? FutureFailures.unwrap(failure) : new CancellationException();
	}

}
