package io.distlock.redis.client;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.spi.TransientStoreException;

/** Runs calls that block, on a few daemon threads. Idle threads end after ten seconds. */
public final class RedisWorkers implements Executor {

	/** The most waiting commands; more mean that the server does not come back. */
	public static final int MAX_WAITING = 4096;

	private static final String FULL = "Too many commands wait for a thread or a connection to Redis: it hangs, or "
			+ "answers too slowly";

	private static final String CLOSED = "The connections to Redis are closed";

	private static final AtomicInteger count = new AtomicInteger();

	private final ThreadPoolExecutor threads;

	/**
	 * Creates workers; starts no thread before the first task.
	 * @param threads how many tasks run at a time
	 */
	public RedisWorkers(int threads) {
		this.threads = new ThreadPoolExecutor(threads, threads, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MAX_WAITING), (task) -> {
					Thread thread = new Thread(task, "distributed-lock-redis-" + count.incrementAndGet());
					thread.setDaemon(true);
					return thread;
				});
		this.threads.allowCoreThreadTimeOut(true);
	}

	/**
	 * Runs a task.
	 * @param task the task
	 * @throws RejectedExecutionException if too many tasks wait, or after
	 * {@link #shutdown}
	 */
	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

	/**
	 * Runs a call, unless no thread is free in time.
	 * @param <T> type of the result
	 * @param patience how long the call may wait for a thread
	 * @param late message of the failure if the call waits for longer
	 * @param call the call
	 * @return the result of the call, or its exception; fails with
	 * {@link TransientStoreException} if the call was not made
	 */
	public <T> CompletableFuture<T> submit(Duration patience, String late, Callable<T> call) {
		CompletableFuture<T> result = new CompletableFuture<>();
		long submitted = System.nanoTime();
		try {
			this.threads.execute(() -> {
				if (System.nanoTime() - submitted > patience.toNanos()) {
					result.completeExceptionally(new TransientStoreException("", late, null));
				}
				else {
					run(call, result);
				}
			});
		}
		catch (RejectedExecutionException ex) {
			String why = this.threads.isShutdown() ? CLOSED : FULL;
			result.completeExceptionally(new TransientStoreException("", why, null));
		}
		catch (Throwable ex) {
			// No thread could be started.
			result.completeExceptionally(ex);
		}
		return result;
	}

	private static <T> void run(Callable<T> call, CompletableFuture<T> result) {
		try {
			result.complete(call.call());
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

	/** Accepts no more tasks; tasks that wait already still run. */
	public void shutdown() {
		this.threads.shutdown();
	}

	/**
	 * Accepts no more tasks, and waits for those that run or wait already.
	 * @param patience how long to wait at most
	 */
	public void shutdown(Duration patience) {
		shutdown();
		try {
			this.threads.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
