package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;

/**
 * Runs parts of a test in separate threads and waits for their results. The threads are
 * daemons, so a thread that never ends does not keep the JVM alive.
 */
@SuppressWarnings("NullAway") // a Void is null
public final class TestThreads {

	/** How long a result may take before the test fails. */
	public static final Duration LIMIT = Duration.ofMinutes(2);

	private TestThreads() {
	}

	/**
	 * Runs a body in a new thread and does not wait for it.
	 * @param <T> the type of the result
	 * @param body what to run
	 * @return the running task
	 */
	public static <T> Task<T> inThread(Callable<T> body) {
		Task<T> task = new Task<>(body);
		task.thread.start();
		return task;
	}

	/**
	 * Runs a body in a new thread and does not wait for it.
	 * @param body what to run
	 * @return the running task
	 */
	public static Task<Void> runInThread(Action body) {
		Callable<Void> action = () -> {
			body.run();
			return null;
		};
		return inThread(action);
	}

	/**
	 * Runs a body in a new thread and returns when that thread waits, or has ended.
	 * @param <T> the type of the result
	 * @param body what to run
	 * @return the waiting or finished task
	 */
	public static <T> Task<T> inWaitingThread(Callable<T> body) {
		Task<T> task = inThread(body);
		awaitWaiting(task.thread);
		return task;
	}

	/**
	 * Waits until a thread waits or has ended, two minutes at most.
	 * @param thread the thread
	 * @throws AssertionError if the thread still runs at the end of that time
	 */
	public static void awaitWaiting(Thread thread) {
		if (!Pause.atMost(LIMIT, () -> switch (thread.getState()) {
			case WAITING, TIMED_WAITING, TERMINATED -> true;
			case NEW, RUNNABLE, BLOCKED -> false;
		})) {
			throw new AssertionError("Thread " + thread.getName() + " does not wait");
		}
	}

	/**
	 * Waits for a result, two minutes at most.
	 * @param <T> the type of the result
	 * @param future the future
	 * @return the result
	 * @throws Exception as {@link Future#get(long, TimeUnit)} does
	 */
	public static <T> T get(Future<T> future) throws Exception {
		return future.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Waits for a result, two minutes at most.
	 * @param <T> the type of the result
	 * @param stage the stage
	 * @return the result
	 * @throws Exception as {@link Future#get(long, TimeUnit)} does
	 */
	public static <T> T get(CompletionStage<T> stage) throws Exception {
		return get((Future<T>) stage.toCompletableFuture());
	}

	/**
	 * Waits for a result, two minutes at most.
	 * @param <T> the type of the result
	 * @param future the future
	 * @return the result
	 * @throws Exception as {@link Future#get(long, TimeUnit)} does
	 */
	public static <T> T get(CompletableFuture<T> future) throws Exception {
		return get((Future<T>) future);
	}

	/**
	 * Returns whether another thread would have to wait for a lock now.
	 * @param template the template to try it with, in a new thread
	 * @param key the lock's key
	 * @return whether the lock could not be acquired at once
	 */
	public static boolean isBusy(LockTemplate template, String key) {
		Task<Boolean> attempt = inThread(() -> {
			var acquired = template.tryAcquire(LockRequest.of(key).waitAtMost(Duration.ZERO));
			acquired.ifPresent(LockHandle::close);
			return acquired.isEmpty();
		});
		try {
			return get(attempt);
		}
		catch (Exception ex) {
			throw new AssertionError("Could not try to acquire '" + key + "'", ex);
		}
	}

	/**
	 * Creates virtual threads.
	 * @return a factory
	 * @throws IllegalStateException if this JDK has no virtual threads, as before version
	 * 21
	 */
	public static ThreadFactory virtual() {
		try {
			Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
			return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(
					"Java " + Runtime.version().feature() + " has no virtual threads: run this with JDK 21 or later",
					ex);
		}
	}

	/**
	 * A body that runs in a separate thread.
	 *
	 * @param <T> the type of the result
	 */
	public static final class Task<T> extends FutureTask<T> {

		private final Thread thread;

		private Task(Callable<T> body) {
			super(body);
			this.thread = new Thread(this, "worker");
			this.thread.setDaemon(true);
		}

		/**
		 * Returns the thread, to interrupt it or to look at its state.
		 * @return the thread
		 */
		public Thread thread() {
			return this.thread;
		}

	}

	/** A body without a result. */
	@FunctionalInterface
	public interface Action {

		/**
		 * Runs the body.
		 * @throws Exception what the task fails with
		 */
		void run() throws Exception;

	}

}
