package io.distlock.benchmark.load;

import java.util.concurrent.ThreadFactory;

/** Virtual threads, where the JDK has them. */
public final class VirtualThreads {

	private VirtualThreads() {
	}

	/**
	 * Makes virtual threads.
	 * @return a factory
	 * @throws IllegalStateException if this JDK has none
	 */
	public static ThreadFactory factory() {
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
	 * Makes threads that do not keep the process alive.
	 * @param virtual whether virtual ones
	 * @return a factory
	 */
	public static ThreadFactory factory(boolean virtual) {
		return virtual ? factory() : VirtualThreads::daemon;
	}

	private static Thread daemon(Runnable task) {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	}

}
