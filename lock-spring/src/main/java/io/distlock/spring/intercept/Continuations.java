package io.distlock.spring.intercept;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.distlock.LockHandle;

/** Runs the steps that follow an acquisition. */
final class Continuations {

	private Continuations() {
	}

	/**
	 * Runs the continuation of an acquisition on another thread than the caller's.
	 * Otherwise, if the lock is granted early, the continuation could run on the caller's
	 * thread, inside the caller's open transaction.
	 */
	static void runOffCaller(CompletableFuture<LockHandle> acquisition,
			BiConsumer<? super @Nullable LockHandle, ? super @Nullable Throwable> next) {
		Thread caller = Thread.currentThread();
		acquisition.whenComplete((lock, failure) -> {
			if (Thread.currentThread() == caller) {
				acquisition.whenCompleteAsync(next);
			}
			else {
				next.accept(lock, failure);
			}
		});
	}

}
