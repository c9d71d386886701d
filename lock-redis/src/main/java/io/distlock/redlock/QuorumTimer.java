package io.distlock.redlock;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The monotonic time of a quorum, and what is to be done later in it. */
interface QuorumTimer {

	long nanoTime();

	/**
	 * Runs something once, later.
	 * @param delay how much later
	 * @param action quick, and never blocks
	 * @return cancels it
	 */
	Runnable later(Duration delay, Runnable action);

	/** Nothing is run any more. */
	void stop();

	/** One daemon thread. */
	static QuorumTimer start() {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "distlock-redlock");
			thread.setDaemon(true);
			return thread;
		});
		executor.setRemoveOnCancelPolicy(true);
		executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		// Whoever comes after the end waits for nothing.
		executor.setRejectedExecutionHandler((task, stopped) -> {
		});
		return new QuorumTimer() {

			@Override
			public long nanoTime() {
				return System.nanoTime();
			}

			@Override
			public Runnable later(Duration delay, Runnable action) {
				ScheduledFuture<?> scheduled = executor.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
				return () -> scheduled.cancel(false);
			}

			@Override
			public void stop() {
				executor.shutdown();
			}

		};
	}

}
