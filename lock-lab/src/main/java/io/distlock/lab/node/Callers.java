package io.distlock.lab.node;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads of callers: virtual ones where the JVM has them, else a bounded number. */
final class Callers {

	/** As many as a small process can have at the same time. */
	static final int MOST_THREADS = 2500;

	private static final long STACK_BYTES = 192 * 1024;

	static final boolean VIRTUAL = Runtime.version().feature() >= 21;

	private Callers() {
	}

	/** Returns how many of the callers run at the same time. */
	static int concurrent(int callers) {
		return VIRTUAL ? callers : Math.min(callers, MOST_THREADS);
	}

	static ExecutorService pool(int callers) {
		return VIRTUAL ? virtualThreads() : Executors.newFixedThreadPool(concurrent(callers), (task) -> thread(task));
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(null, task, "caller", STACK_BYTES);
		thread.setDaemon(true);
		return thread;
	}

	/** Calls the method by name, because this class is compiled for Java 17. */
	private static ExecutorService virtualThreads() {
		try {
			return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		}
		catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException("This JVM has no virtual threads", ex);
		}
	}

}
