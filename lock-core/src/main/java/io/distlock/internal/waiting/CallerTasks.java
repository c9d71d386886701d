package io.distlock.internal.waiting;

import io.distlock.spi.CallingThread;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command that a caller executes itself after it has left the monitor of the key.
 * This object is confined to the thread of the caller, and other threads cannot add
 * commands.
 * <p>
 * Invariant: {@link #offer} runs no command, because it is called under a monitor.
 */
public class CallerTasks implements CallingThread {

	private static final Logger logger = LoggerFactory.getLogger(CallerTasks.class);

	private final Thread caller = Thread.currentThread();

	private @Nullable Runnable next;

	private boolean closed;

	/** The caller sets no limit, because the command timeout ends the wait. */
	@Override
	public long patienceNanos() {
		return Long.MAX_VALUE;
	}

	@Override
	public final boolean offer(Runnable task) {
		if (Thread.currentThread() != this.caller || this.closed || this.next != null) {
			return false;
		}
		// If the thread is interrupted, a client may close its connection or give up
		// waiting for a connection.
		if (this.caller.isInterrupted()) {
			return false;
		}
		this.next = task;
		return true;
	}

	protected final Thread caller() {
		return this.caller;
	}

	/**
	 * Runs the accepted command, and accepts no more commands. Called by the thread that
	 * created this object. Throws nothing.
	 */
	public final void runTasks() {
		for (Runnable task = this.next; task != null; task = this.next) {
			this.next = null;
			runSafely(task);
		}
		this.closed = true;
	}

	/**
	 * Runs a task and logs what it throws. The store may have granted the command all the
	 * same. If the caller got the exception instead of the outcome, it would not unlock,
	 * and the lock would be renewed for ever.
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
