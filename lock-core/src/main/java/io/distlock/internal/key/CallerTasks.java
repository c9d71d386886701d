package io.distlock.internal.key;

import io.distlock.spi.CallingThread;
import org.jspecify.annotations.Nullable;

/**
 * The command that a caller executes itself, once it has left the monitor of the key.
 * Confined to the thread of the caller; others cannot add to what it does.
 * <p>
 * Invariant: nothing runs within {@link #offer}, because that is called under a monitor.
 */
final class CallerTasks implements CallingThread {

	private final Thread caller = Thread.currentThread();

	private @Nullable Runnable next;

	private boolean closed;

	@Override
	public boolean offer(Runnable task) {
		// mutant: caller-thread
		boolean elsewhere = Thread.currentThread() != this.caller;
		// mutant: caller-waits
		boolean taken = this.closed || this.next != null;
		// A client may close its connection if its thread is interrupted, or give up
		// waiting for one.
		// mutant: caller-interrupted
		boolean interrupted = this.caller.isInterrupted();
		if (elsewhere || taken || interrupted) {
			return false;
		}
		// mutant: caller-defers
		this.next = task;
		return true;
	}

	/** Runs what was accepted, and accepts nothing from then on. */
	void run() {
		for (Runnable task = this.next; task != null; task = this.next) {
			this.next = null;
			task.run();
		}
		this.closed = true;
	}

}
