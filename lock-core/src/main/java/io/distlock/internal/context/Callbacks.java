package io.distlock.internal.context;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each callback of users on a separate thread, so that a callback that blocks does
 * not delay renewals. Reports to observers run in order and do not wait for these
 * callbacks.
 */
final class Callbacks {

	private static final Logger logger = LoggerFactory.getLogger(Callbacks.class);

	private final Executor threads;

	/**
	 * Creates what runs callbacks.
	 * @param threads starts each callback at once, because any of them may block for ever
	 */
	Callbacks(Executor threads) {
		this.threads = threads;
	}

	void run(Runnable callback) {
		try {
			this.threads.execute(() -> runSafely(callback));
		}
		catch (Throwable ex) {
			// Without the callback the caller may never learn that it got a lock, and
			// that lock would be renewed for ever.
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

	/** Logs a failure. Logging may fail too if memory is full. */
	private static void log(String message, Throwable failure) {
		try {
			logger.error(message, failure);
		}
		catch (Throwable ex) {
			// The later callbacks must run nevertheless.
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
		 * Created in advance: if memory were full later, no thread would run the
		 * callbacks.
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
				this.callbacks.run(this.runPending);
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

	/**
	 * A future that does not use the few threads of the common pool, because
	 * continuations may block.
	 */
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
