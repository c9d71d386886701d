package io.distlock.internal.waiting;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;

import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.hold.Owner;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.spi.CallingThread;
import io.distlock.spi.LockClock;
import org.jspecify.annotations.Nullable;

/** A thread that parks until its outcome is known. */
public final class ThreadWaiter extends Waiter {

	private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

	private final Thread thread;

	private final boolean virtual;

	private final LockClock clock;

	/** The report to observers that this thread runs after its commands. */
	private @Nullable Runnable report;

	private final CallerTasks tasks = new CallerTasks() {

		/** A caller that does not wait for its turn nevertheless waits for the answer. */
		@Override
		public long patienceNanos() {
			return patient() ? remaining(ThreadWaiter.this.clock.nanoTime()) : Long.MAX_VALUE;
		}

	};

	/**
	 * Creates a waiter whose commands the calling thread executes.
	 * @param caller the thread that waits
	 * @param options what it wants
	 * @param clock the time
	 * @param reportsAtUnlock whether the thread will unlock without a handle
	 */
	public ThreadWaiter(Thread caller, AcquireOptions options, LockClock clock, boolean reportsAtUnlock) {
		super(new Owner(caller, reportsAtUnlock, options), clock.nanoTime());
		this.thread = caller;
		this.virtual = isVirtual(caller);
		this.clock = clock;
	}

	/**
	 * Executes the commands of the calling thread, then waits on that thread.
	 * @param queue where it waits
	 * @param interruptible whether an interrupt ends the wait; otherwise the interrupt is
	 * restored when the wait ends
	 * @return how it ended
	 * @throws InterruptedException if interrupted; the lock is not held
	 */
	public Outcome await(Waiter.QueueOwner queue, boolean interruptible) throws InterruptedException {
		boolean interrupted = false;
		runTasks();
		try {
			while (true) {
				runReport();
				Outcome outcome = outcome();
				if (outcome != null) {
					return outcome;
				}
				park(queue);
				if (Thread.interrupted()) {
					interrupted = true;
					if (interruptible && queue.cancel(this)) {
						interrupted = false;
						throw new InterruptedException();
					}
				}
			}
		}
		finally {
			if (interrupted) {
				this.thread.interrupt();
			}
		}
	}

	private void runReport() {
		Runnable due = this.report;
		if (due != null) {
			this.report = null;
			due.run();
		}
	}

	private void park(Waiter.QueueOwner queue) {
		long left = this.virtual ? LocalDeadline.FOREVER_NANOS : remaining(this.clock.nanoTime());
		if (left > 0) {
			this.clock.park(left);
		}
		else if (!overdue()) {
			queue.overdue(this);
		}
		else {
			this.clock.park(LocalDeadline.FOREVER_NANOS);
		}
	}

	/**
	 * Executes the commands of the calling thread. Called after the waiter has joined.
	 */
	public void runTasks() {
		this.tasks.runTasks();
	}

	/**
	 * A permit may need several commands, one slot after the other, so the caller
	 * executes none of them.
	 */
	@Override
	public CallingThread callingThread() {
		return nests() ? this.tasks : CallingThread.NONE;
	}

	/**
	 * A platform thread watches the time itself, to the microsecond. For a virtual thread
	 * that timer would cost more than everything else.
	 */
	@Override
	boolean needsTimeout() {
		return this.virtual;
	}

	/**
	 * A thread does not park if it got its answer at once or executed the command itself.
	 * An unpark would then remain, and the next park in the code of the caller would
	 * return at once.
	 */
	@Override
	boolean isAwake() {
		return Thread.currentThread() == this.thread;
	}

	@Override
	boolean reportsItself(Runnable due) {
		boolean itself = isAwake();
		if (itself) {
			this.report = due;
		}
		return itself;
	}

	@Override
	void wake() {
		LockSupport.unpark(this.thread);
	}

	/**
	 * Finds the method that says whether a thread is virtual. This Java version may not
	 * have it.
	 */
	private static @Nullable MethodHandle findIsVirtual() {
		try {
			return MethodHandles.publicLookup()
				.findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
		}
		catch (NoSuchMethodException | IllegalAccessException ex) {
			return null;
		}
	}

	private static boolean isVirtual(Thread thread) {
		try {
			return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
		}
		catch (Throwable ex) {
			throw new IllegalStateException("Thread.isVirtual() failed", ex);
		}
	}

}
