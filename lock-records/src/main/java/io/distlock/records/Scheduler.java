package io.distlock.records;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.distlock.support.LoopGuard;

/** Runs actions later. */
@FunctionalInterface
interface Scheduler {

	/**
	 * Runs an action later, on any thread.
	 * @param delay the time until the action runs
	 * @param action must not block
	 */
	void schedule(Duration delay, Runnable action);

	/**
	 * Returns the scheduler that all stores of this process share. Its daemon thread ends
	 * when idle.
	 */
	static Scheduler shared() {
		return SharedThread.INSTANCE;
	}

	/** The shared thread. */
	final class SharedThread {

		private static final String NAME = "distributed-lock-records";

		private static final Scheduler INSTANCE = create();

		private SharedThread() {
		}

		private static Scheduler create() {
			ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
				Thread thread = new Thread(task, NAME);
				thread.setDaemon(true);
				return thread;
			});
			executor.setKeepAliveTime(5, TimeUnit.SECONDS);
			executor.allowCoreThreadTimeOut(true);
			LoopGuard guard = new LoopGuard(NAME);
			return (delay, action) -> executor.schedule(() -> guard.run(action), delay.toNanos(), TimeUnit.NANOSECONDS);
		}

	}

}
