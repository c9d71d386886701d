package io.distlock.internal.context;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Threads for callbacks that may block. No callback waits for the thread of another one,
 * because a running callback may wait for one that has not begun.
 */
final class CallbackThreads {

	private static final String NAME = "distributed-lock-callback";

	private static final @Nullable MethodHandle START_VIRTUAL = findStartVirtual();

	private CallbackThreads() {
	}

	/**
	 * Creates an executor that uses virtual threads where they do not pin their carriers,
	 * or else platform threads that are used again for a second.
	 */
	static Executor create() {
		MethodHandle start = START_VIRTUAL;
		return (start != null) ? (callback) -> startVirtual(start, callback) : platform();
	}

	static ThreadPoolExecutor platform() {
		ThreadFactory daemons = (task) -> {
			Thread thread = new Thread(task, NAME);
			thread.setDaemon(true);
			return thread;
		};
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
	}

	private static void startVirtual(MethodHandle start, Runnable callback) {
		try {
			Runnable named = () -> {
				Thread.currentThread().setName(NAME);
				callback.run();
			};
			Thread started = (Thread) start.invokeExact(named);
		}
		catch (Throwable ex) {
			throw new IllegalStateException("No virtual thread could be started", ex);
		}
	}

	/**
	 * Finds the method that starts a virtual thread, from Java 24 on. Before Java 24 a
	 * few callbacks that block in synchronized blocks would stop all others.
	 */
	private static @Nullable MethodHandle findStartVirtual() {
		if (Runtime.version().feature() < 24) {
			return null;
		}
		try {
			return MethodHandles.publicLookup()
				.findStatic(Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class));
		}
		catch (NoSuchMethodException | IllegalAccessException ex) {
			return null;
		}
	}

}
