package io.distlock.redis.client;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A few daemon threads for what a client can only do blocking. */
public final class Workers {

	/** More than this many commands waiting means that the server is not coming back. */
	static final int MAX_WAITING = 4096;

	private static final AtomicInteger count = new AtomicInteger();

	private Workers() {
	}

	public static ThreadPoolExecutor start(int threads) {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(threads, threads, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MAX_WAITING), (task) -> {
					Thread thread = new Thread(task, "distlock-redis-" + count.incrementAndGet());
					thread.setDaemon(true);
					return thread;
				});
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

}
