package io.distlock.spring.intercept;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.distlock.LockHandle;

/**
 * Goes on after an acquisition on a thread of the lock. A store may be so fast that the
 * lock is there before it is asked what comes then; the caller would run the body itself,
 * with all that belongs to its thread, such as an open transaction.
 */
final class ContinueOffCaller {

	private ContinueOffCaller() {
	}

	static void after(CompletableFuture<LockHandle> acquisition,
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
