package io.distlock.redlock;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.distlock.support.LoopGuard;

/** Provides the monotonic clock of a quorum, and its delayed actions. */
interface QuorumTimer {

	long nanoTime();

	/**
	 * Runs an action once, after a delay.
	 * @param delay the delay
	 * @param action an action that is quick and never blocks
	 * @return cancels the action
	 */
	Runnable later(Duration delay, Runnable action);

	/** Drops all actions, including later ones. */
	void stop();

	/** Starts a timer with one daemon thread. */
	static QuorumTimer start() {
		String name = "distributed-lock-redlock";
		LoopGuard guard = new LoopGuard(name);
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		});
		executor.setRemoveOnCancelPolicy(true);
		executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		// The executor drops actions that come after the stop.
		executor.setRejectedExecutionHandler((task, stopped) -> {
		});
		return new QuorumTimer() {

			@Override
			public long nanoTime() {
				return System.nanoTime();
			}

			@Override
			public Runnable later(Duration delay, Runnable action) {
				ScheduledFuture<?> scheduled = executor.schedule(() -> guard.run(action), delay.toNanos(),
						TimeUnit.NANOSECONDS);
				return () -> scheduled.cancel(false);
			}

			@Override
			public void stop() {
				executor.shutdown();
			}

		};
	}

}
