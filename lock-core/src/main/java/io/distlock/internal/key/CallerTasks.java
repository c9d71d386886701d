package io.distlock.internal.key;

import io.distlock.spi.CallingThread;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command that a caller executes itself, once it has left the monitor of the key. It
 * is confined to the thread of the caller; other threads cannot add commands to it.
 * <p>
 * Invariant: nothing runs within {@link #offer}, because that is called under a monitor.
 */
class CallerTasks implements CallingThread {

	private static final Logger logger = LoggerFactory.getLogger(CallerTasks.class);

	private final Thread caller = Thread.currentThread();

	private @Nullable Runnable next;

	private boolean closed;

	/** The caller sets no limit of its own; the command timeout ends the wait. */
	@Override
	public long patienceNanos() {
		return Long.MAX_VALUE;
	}

	@Override
	public final boolean offer(Runnable task) {
		if (Thread.currentThread() != this.caller || this.closed || this.next != null) {
			return false;
		}
		// A client may close its connection if its thread is interrupted, or give up
		// waiting for one.
		if (this.caller.isInterrupted()) {
			return false;
		}
		this.next = task;
		return true;
	}

	final Thread caller() {
		return this.caller;
	}

	/**
	 * Runs what was accepted, and accepts nothing from then on. Called by the thread that
	 * created this. Throws nothing.
	 */
	public final void runTasks() {
		for (Runnable task = this.next; task != null; task = this.next) {
			this.next = null;
			runSafely(task);
		}
		this.closed = true;
	}

	/**
	 * Logs what a task throws, because the command may have been granted. If the caller
	 * got the exception instead of the outcome, it would not unlock, and the lock would
	 * be renewed for ever.
	 */
	private static void runSafely(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			logger.error("A command of a lock failed on the thread of its caller, against the contract of the store",
					ex);
		}
	}

}
