package io.distlock.internal.key;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A bounded number of platform threads for callbacks that may block. Further callbacks
 * wait for a thread. While no callback ends, a thread is added every 100 ms, because a
 * running callback may wait for a callback that has no thread yet.
 */
final class CallbackThreads implements Executor {

	private static final String NAME = "distributed-lock-callback";

	private static final int USUAL = 256;

	private static final long GROWTH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final @Nullable MethodHandle START_VIRTUAL = findStartVirtual();

	private final AtomicBoolean watched = new AtomicBoolean();

	/** Callbacks that came while all threads were in use. */
	private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicLong ended = new AtomicLong();

	private final ThreadPoolExecutor pool;

	private final int usual;

	/**
	 * Creates threads for callbacks.
	 * @param usual how many threads there are before callbacks wait
	 */
	CallbackThreads(int usual) {
		this.usual = usual;
		this.pool = new ThreadPoolExecutor(0, usual, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons());
	}

	/**
	 * Creates an executor that uses virtual threads where they do not pin their carriers,
	 * or else a bounded number of platform threads.
	 */
	static Executor create() {
		MethodHandle start = START_VIRTUAL;
		return (start != null) ? (callback) -> startVirtual(start, callback) : new CallbackThreads(USUAL);
	}

	/**
	 * Creates an executor with a thread for each task, for the few tasks that must not
	 * wait for callbacks of users.
	 */
	static Executor unlimited() {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons());
	}

	private static ThreadFactory daemons() {
		return (task) -> {
			Thread thread = new Thread(task, NAME);
			thread.setDaemon(true);
			return thread;
		};
	}

	@Override
	public void execute(Runnable callback) {
		if (!start(callback)) {
			this.waiting.add(callback);
			if (this.watched.compareAndSet(false, true)) {
				watch();
			}
		}
	}

	/**
	 * Starts a callback if a thread is free for it, and returns whether it was started.
	 */
	private boolean start(Runnable callback) {
		try {
			this.pool.execute(() -> runAll(callback));
			return true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
	}

	private void runAll(Runnable first) {
		for (Runnable next = first; next != null; next = this.waiting.poll()) {
			try {
				next.run();
			}
			finally {
				this.ended.incrementAndGet();
			}
		}
	}

	/**
	 * Starts the thread that adds threads. This method must not fail, because the
	 * callback is already in the queue and will run.
	 */
	private void watch() {
		try {
			Thread watch = new Thread(this::growWhileStuck, NAME + "-growth");
			watch.setDaemon(true);
			watch.start();
		}
		catch (Throwable ex) {
			// The next callback tries again.
			this.watched.set(false);
		}
	}

	int threads() {
		return this.pool.getPoolSize();
	}

	/** Returns whether threads are added while callbacks wait. */
	boolean isGrowing() {
		return this.watched.get();
	}

	private void growWhileStuck() {
		do {
			try {
				grow();
			}
			finally {
				this.watched.set(false);
			}
			// A callback may have joined the queue before the flag above was cleared.
		}
		while (!this.waiting.isEmpty() && this.watched.compareAndSet(false, true));
	}

	private void grow() {
		long ended = this.ended.get();
		while (!this.waiting.isEmpty()) {
			LockSupport.parkNanos(GROWTH_NANOS);
			long before = ended;
			ended = this.ended.get();
			if (ended == before) {
				// The threads that were added earlier may be stuck as well.
				int stuck = Math.max(this.pool.getMaximumPoolSize(), this.pool.getPoolSize());
				this.pool.setMaximumPoolSize(stuck + 1);
				startNext();
			}
		}
		this.pool.setMaximumPoolSize(this.usual);
	}

	private void startNext() {
		Runnable next = this.waiting.poll();
		if (next != null && !start(next)) {
			this.waiting.add(next);
		}
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
