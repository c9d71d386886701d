package io.distlock.memory;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Delivers messages from the server to the instances, in order. Its thread ends when
 * idle.
 */
final class Messenger {

	private static final Executor SHARED = create();

	private Messenger() {
	}

	static Executor shared() {
		return SHARED;
	}

	private static Executor create() {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				(task) -> {
					Thread thread = new Thread(task, "distributed-lock-memory");
					thread.setDaemon(true);
					return thread;
				});
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

}
