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
 * A bounded number of platform threads for callbacks, which may block; further ones wait
 * for a thread. While none of them ends, a thread is added every 100 ms: a callback may
 * wait for another one that has no thread yet.
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
	 * @param usual how many there are before callbacks wait
	 */
	CallbackThreads(int usual) {
		this.usual = usual;
		this.pool = new ThreadPoolExecutor(0, usual, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons());
	}

	/** Virtual threads where they do not pin their carriers. */
	static Executor create() {
		MethodHandle start = START_VIRTUAL;
		return (start != null) ? (callback) -> startVirtual(start, callback) : new CallbackThreads(USUAL);
	}

	/** A thread for each, for a few that must not wait for callbacks of users. */
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

	/** Returns whether a thread runs the callback. */
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

	/** The callback has a thread, or will have one, so this must not fail. */
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
			// A callback may have begun to wait before this thread was seen to end.
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
				// Those of an earlier growth may be stuck as well.
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
	 * Before Java 24 a few callbacks in synchronized blocks would keep all others out.
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
