package io.distlock.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Keeps bodies off the threads of their callers. A lock is told of on a thread that may
 * block, but one that is there before anybody listens would be taken by who listens: that
 * may be an event loop.
 */
final class BodyThreads {

	private static final Executor THREADS = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (task) -> {
				Thread thread = new Thread(task, "distributed-lock-callback");
				thread.setDaemon(true);
				return thread;
			});

	private BodyThreads() {
	}

	/**
	 * Listens to a future.
	 * @param future what is waited for
	 * @param action what follows; never on this thread before this method returns
	 */
	static <T> void whenComplete(CompletableFuture<T> future,
			BiConsumer<? super @Nullable T, ? super @Nullable Throwable> action) {
		Thread caller = Thread.currentThread();
		AtomicBoolean returned = new AtomicBoolean();
		future.whenComplete((value, failure) -> {
			if (Thread.currentThread() == caller && !returned.get()) {
				THREADS.execute(() -> action.accept(value, failure));
			}
			else {
				action.accept(value, failure);
			}
		});
		returned.set(true);
	}

}
