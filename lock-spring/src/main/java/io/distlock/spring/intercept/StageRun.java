package io.distlock.spring.intercept;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockStoreException;
import io.distlock.support.FutureFailures;

/** One call of a method that returns a stage. */
final class StageRun {

	/** The result for the caller, who may also complete it. */
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
			LockHandle nested = NestedCalls.sharedOnThread(request, this.call.method().id().title());
			if (nested != null) {
				hold(nested);
			}
			else if (ownThread) {
				await(request);
			}
			else {
				this.call.leavesThread();
				Continuations.runOffCaller(acquire(request),
						CallerContext.captured((lock, failure) -> acquired(request, lock, failure)));
			}
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
		}
		return this.result;
	}

	/** Acquires the lock. A caller that completes the result no longer needs the lock. */
	private CompletableFuture<LockHandle> acquire(LockRequest request) {
		CompletableFuture<LockHandle> acquisition = this.call.acquireAsync(request);
		this.result.whenComplete((value, failure) -> acquisition.cancel(false));
		return acquisition;
	}

	/**
	 * Waits for the lock and runs the body on this thread. The body does not belong to
	 * the thread, because its stage may last longer.
	 */
	private void await(LockRequest request) {
		CompletableFuture<LockHandle> acquisition = acquire(request);
		try {
			acquired(request, acquisition.get(), null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.result.completeExceptionally(new LockInterruptedException(request.key(), ex));
			// The lock may have been granted just before the result cancelled the wait.
			acquisition.thenAccept(this::hold);
		}
		catch (ExecutionException ex) {
			acquired(request, null, ex.getCause());
		}
	}

	private void acquired(LockRequest request, @Nullable LockHandle lock, @Nullable Throwable failure) {
		Throwable reason = (failure != null) ? FutureFailures.unwrap(failure) : null;
		if (lock != null) {
			hold(lock);
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

	/** Turns an answer into a stage, unless it is one already. */
	private static CompletionStage<?> follow(@Nullable Object answer) {
		return (answer instanceof CompletionStage<?> stage) ? stage : CompletableFuture.completedFuture(answer);
	}

	private void hold(LockHandle lock) {
		if (this.result.isDone()) {
			lock.closeAsync();
			return;
		}
		CompletableFuture<@Nullable Object> run = LockScopes.executeAsync(lock, this::body);
		this.result.whenComplete((value, failure) -> {
			if (this.result.isCancelled()) {
				run.cancel(true);
			}
		});
		run.whenComplete(this::complete);
	}

	@SuppressWarnings("unchecked") // the result goes where the method's own result went
	private CompletionStage<@Nullable Object> body(LockHandle lock) {
		try {
			Object returned = this.call.proceed(lock);
			if (returned instanceof CompletionStage<?> stage) {
				return (CompletionStage<@Nullable Object>) stage;
			}
			throw new IllegalStateException(this.call.method().id().title()
					+ ": it returned null instead of a stage, so the end of its work is not known. "
					+ "Return CompletableFuture.completedFuture(null) if it is done already");
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void complete(@Nullable Object value, @Nullable Throwable failure) {
		if (failure != null) {
			this.result.completeExceptionally(failure);
		}
		else {
			this.result.complete(value);
		}
	}

}
