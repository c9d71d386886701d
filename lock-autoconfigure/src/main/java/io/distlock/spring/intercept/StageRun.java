package io.distlock.spring.intercept;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.OnLost;

/** One call of a method that returns a stage. */
final class StageRun {

	/** What the caller gets, who may complete it too. */
	private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

	private final LockedCall call;

	private final NoLockPolicy policy;

	StageRun(LockedCall call, NoLockPolicy policy) {
		this.call = call;
		this.policy = policy;
	}

	CompletableFuture<@Nullable Object> begin(boolean ownThread) {
		try {
			LockRequest request = this.call.request();
			LockHandle nested = NestedCalls.sharedOnThread(request, this.call.method().id());
			if (nested != null) {
				hold(nested);
			}
			else if (ownThread) {
				await(request);
			}
			else {
				ContinueOffCaller.after(acquire(request), (lock, failure) -> acquired(request, lock, failure));
			}
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
		}
		return this.result;
	}

	/** Whoever completes the result does not want the lock any more. */
	private CompletableFuture<LockHandle> acquire(LockRequest request) {
		CompletableFuture<LockHandle> acquisition = this.call.template().acquireAsync(request).toCompletableFuture();
		this.result.whenComplete((value, failure) -> acquisition.cancel(false));
		return acquisition;
	}

	/**
	 * The body runs on this thread, but does not belong to it: its stage may last longer.
	 */
	private void await(LockRequest request) {
		CompletableFuture<LockHandle> acquisition = acquire(request);
		try {
			acquired(request, acquisition.get(), null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.result.completeExceptionally(new LockInterruptedException(request.key(), ex));
		}
		catch (ExecutionException ex) {
			acquired(request, null, ex.getCause());
		}
	}

	private void acquired(LockRequest request, @Nullable LockHandle lock, @Nullable Throwable failure) {
		Throwable reason = unwrap(failure);
		if (lock != null) {
			hold(HandedDownLock.of(lock, request));
		}
		else if (reason instanceof LockBusyException || reason instanceof LockStoreException) {
			follow(answer((LockException) reason)).whenComplete(this::complete);
		}
		else {
			this.result.completeExceptionally((reason != null) ? reason : new CancellationException());
		}
	}

	private @Nullable Object answer(LockException reason) {
		try {
			return this.policy.answer(this.call, reason);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** An answer of the method's own type, or the value that it stands for. */
	private static CompletionStage<?> follow(@Nullable Object answer) {
		return (answer instanceof CompletionStage<?> stage) ? stage : CompletableFuture.completedFuture(answer);
	}

	private void hold(LockHandle lock) {
		if (this.result.isDone()) {
			lock.closeAsync();
			return;
		}
		CompletionStage<?> body = body(lock);
		try {
			this.result.whenComplete((value, failure) -> {
				if (this.result.isCancelled()) {
					cancel(body);
				}
			});
			if (lock.policy().onLost() == OnLost.INTERRUPT) {
				lock.onLost((lost) -> cancel(body));
			}
			body.whenComplete((value, failure) -> end(lock, value, failure));
		}
		catch (RuntimeException ex) {
			end(lock, null, ex);
		}
	}

	private CompletionStage<?> body(LockHandle lock) {
		try (LockContext.Scope scope = LockContext.enter(lock)) {
			Object returned = this.call.proceed(lock);
			if (returned instanceof CompletionStage<?> stage) {
				return stage;
			}
			throw new IllegalStateException(this.call.method().id().title()
					+ ": it returned null instead of a stage, so nobody can tell when its work is done. "
					+ "Return CompletableFuture.completedFuture(null) if it is done already");
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static void cancel(CompletionStage<?> body) {
		try {
			body.toCompletableFuture().cancel(true);
		}
		catch (UnsupportedOperationException ex) {
			// A stage that cannot be cancelled; the lock is held until it completes.
		}
	}

	private void end(LockHandle lock, @Nullable Object value, @Nullable Throwable failure) {
		lock.closeAsync().whenComplete((released, loss) -> {
			Throwable lost = unwrap(loss);
			if (lost == null) {
				complete(value, failure);
			}
			else {
				complete(null, withLoss(failure, lost));
			}
		});
	}

	/** A body that ended because the loss cancelled it ended by the loss. */
	private static Throwable withLoss(@Nullable Throwable failure, Throwable loss) {
		Throwable own = unwrap(failure);
		if (failure == null || own == null || own == loss) {
			return loss;
		}
		if (own instanceof CancellationException && loss instanceof LockLostException) {
			loss.addSuppressed(own);
			return loss;
		}
		own.addSuppressed(loss);
		return failure;
	}

	private void complete(@Nullable Object value, @Nullable Throwable failure) {
		if (failure != null) {
			this.result.completeExceptionally(failure);
		}
		else {
			this.result.complete(value);
		}
	}

	private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
