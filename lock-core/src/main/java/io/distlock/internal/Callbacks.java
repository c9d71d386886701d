package io.distlock.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs users' callbacks off the engine's own threads, each on its own, so that one that
 * blocks delays neither renewals nor the others.
 */
final class Callbacks {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final Executor threads;

	Callbacks(Executor threads) {
		this.threads = threads;
	}

	/** A thread for each callback, and none while nothing is told. */
	static Executor threads() {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), (task) -> {
			Thread thread = new Thread(task, "distributed-lock-callback");
			thread.setDaemon(true);
			return thread;
		});
	}

	void run(Runnable callback) {
		try {
			this.threads.execute(() -> runSafely(callback));
		}
		catch (Throwable ex) {
			// A grant that nobody is told of would be renewed for ever.
			logger.error("There is no thread for a callback of a lock, so it runs on one of the engine's", ex);
			runSafely(callback);
		}
	}

	static void runSafely(Runnable callback) {
		try {
			callback.run();
		}
		catch (Throwable ex) {
			logger.error("A callback of a lock failed", ex);
		}
	}

}
