package io.distlock.benchmark.load;

import java.util.concurrent.ThreadFactory;

import io.distlock.test.TestThreads;

/** Threads of either kind. */
public final class VirtualThreads {

	private VirtualThreads() {
	}

	/**
	 * Makes threads that do not keep the process alive.
	 * @param virtual whether virtual ones
	 * @return a factory
	 */
	public static ThreadFactory factory(boolean virtual) {
		return virtual ? TestThreads.virtual() : VirtualThreads::daemon;
	}

	private static Thread daemon(Runnable task) {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	}

}
