package io.distlock.internal;

import io.distlock.Holder;
import org.jspecify.annotations.Nullable;

/**
 * A thread that wants a lock. Its outcome is set once, under the monitor of the lock's
 * entry, so that a grant, a timeout and an interrupt cannot both happen.
 */
final class Waiter extends Slot<Waiter.Outcome> {

	private final Lease lease;

	private final String caller;

	private final long deadline;

	private final boolean patient;

	private final boolean reportsAtUnlock;

	private boolean overdue;

	/**
	 * Creates a waiter for the calling thread.
	 * @param lease what it wants
	 * @param caller where it asks from
	 * @param now the monotonic clock
	 * @param waitNanos how long it waits
	 * @param reportsAtUnlock whether it will unlock by its thread, without a handle
	 */
	Waiter(Lease lease, String caller, long now, long waitNanos, boolean reportsAtUnlock) {
		this.lease = lease;
		this.caller = caller;
		this.deadline = now + waitNanos;
		this.patient = waitNanos > 0;
		this.reportsAtUnlock = reportsAtUnlock;
	}

	Lease lease() {
		return this.lease;
	}

	String caller() {
		return this.caller;
	}

	/** Whether it waits at all if the first answer is no. */
	boolean patient() {
		return this.patient;
	}

	boolean reportsAtUnlock() {
		return this.reportsAtUnlock;
	}

	long remaining(long now) {
		return this.deadline - now;
	}

	/**
	 * Whether its time is over but the store still owes the answer that decides between
	 * granted, busy and unknown. Used by the waiting thread only.
	 */
	boolean overdue() {
		return this.overdue;
	}

	void markOverdue() {
		this.overdue = true;
	}

	/** Ends the waiting; the thread is woken when the monitor has been left. */
	void end(Outcome outcome, Monitor monitor) {
		set(outcome);
		monitor.afterwards(this::wake);
	}

	/** How the waiting ended. */
	sealed interface Outcome {

		/**
		 * The lock is held.
		 *
		 * @param hold by which hold
		 */
		record Granted(Hold hold) implements Outcome {
		}

		/**
		 * Somebody else held it all the time.
		 *
		 * @param holder who, as far as known
		 */
		record Busy(@Nullable Holder holder) implements Outcome {
		}

		/**
		 * It cannot be said.
		 *
		 * @param failure why
		 */
		record Failed(RuntimeException failure) implements Outcome {
		}

		/** The waiter went away by itself. */
		record Cancelled() implements Outcome {
		}

	}

}
