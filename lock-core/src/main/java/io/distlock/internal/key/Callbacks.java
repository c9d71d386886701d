package io.distlock.internal.key;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs callbacks of users off the engine's threads, each on its own thread, so that one
 * that blocks does not delay renewals. Reports to observers, which have an order, do not
 * wait for them.
 */
final class Callbacks {

	private static final Logger logger = LoggerFactory.getLogger(Callbacks.class);

	private final Executor threads;

	private final Executor ordered;

	/**
	 * Creates what runs callbacks.
	 * @param threads for callbacks of users, which may block for ever
	 * @param ordered for the few that run callbacks one after the other
	 */
	Callbacks(Executor threads, Executor ordered) {
		this.threads = threads;
		this.ordered = ordered;
	}

	void run(Runnable callback) {
		run(this.threads, callback);
	}

	private static void run(Executor threads, Runnable callback) {
		try {
			threads.execute(() -> runSafely(callback));
		}
		catch (Throwable ex) {
			// A lock that was granted to a caller that never learns of it would be
			// renewed for ever.
			log("No thread could be started for a callback of a lock; it runs on a thread of the engine", ex);
			runSafely(callback);
		}
	}

	static void runSafely(Runnable callback) {
		try {
			callback.run();
		}
		catch (Throwable ex) {
			log("A callback of a lock failed", ex);
		}
	}

	/** Logging may fail too if memory is full. */
	private static void log(String message, Throwable failure) {
		try {
			logger.error(message, failure);
		}
		catch (Throwable ex) {
			// The callbacks behind it must run all the same.
		}
	}

	/** Creates a future whose asynchronous continuations run as callbacks by default. */
	<T> CompletableFuture<T> newFuture() {
		return new CallbackFuture<>(this::run);
	}

	/** Creates an executor that runs callbacks one after the other. */
	InOrder inOrder() {
		return new InOrder(this);
	}

	/** Runs callbacks in the order in which they came, on one thread at a time. */
	static final class InOrder implements Executor {

		private static final int MOST_PENDING = 10_000;

		private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();

		private final AtomicInteger pending = new AtomicInteger();

		private final Callbacks callbacks;

		/**
		 * This is created before, because later there may be no memory, and then no
		 * thread would run them.
		 */
		private final Runnable runPending = this::runPending;

		private InOrder(Callbacks callbacks) {
			this.callbacks = callbacks;
		}

		/** Runs a callback, unless very many have not run yet. */
		void executeUnlessBehind(Runnable callback) {
			if (this.pending.get() < MOST_PENDING) {
				execute(callback);
			}
		}

		/** Returns whether all callbacks have run. */
		boolean isIdle() {
			return this.pending.get() == 0;
		}

		@Override
		public void execute(Runnable callback) {
			this.queue.add(callback);
			if (this.pending.getAndIncrement() == 0) {
				run(this.callbacks.ordered, this.runPending);
			}
		}

		private void runPending() {
			do {
				Runnable callback = this.queue.poll();
				if (callback != null) {
					runSafely(callback);
				}
			}
			while (this.pending.decrementAndGet() > 0);
		}

	}

	/** Does not use the few threads of the common pool: continuations may block. */
	private static final class CallbackFuture<T> extends CompletableFuture<T> {

		private final Executor threads;

		CallbackFuture(Executor threads) {
			this.threads = threads;
		}

		@Override
		public Executor defaultExecutor() {
			return this.threads;
		}

		@Override
		public <U> CompletableFuture<U> newIncompleteFuture() {
			return new CallbackFuture<>(this.threads);
		}

	}

}
