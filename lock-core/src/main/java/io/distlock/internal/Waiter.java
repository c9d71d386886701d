package io.distlock.internal;

import io.distlock.Holder;
import io.distlock.LockOptions;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who wants a lock. The outcome is set once, under the monitor of the lock's
 * entry, so that a grant, a timeout and an interrupt cannot both happen.
 */
abstract sealed class Waiter permits ThreadWaiter, AsyncWaiter {

	private final Wish wish;

	private final long deadline;

	private boolean overdue;

	private volatile @Nullable Outcome outcome;

	/**
	 * Creates a waiter.
	 * @param wish what it wants
	 * @param now the monotonic clock
	 */
	Waiter(Wish wish, long now) {
		this.wish = wish;
		this.deadline = now + wish.waitNanos();
	}

	Lease lease() {
		return this.wish.lease();
	}

	Sharing sharing() {
		return this.wish.sharing();
	}

	/** Whether any number of others that share it may hold the lock with it. */
	boolean shared() {
		return this.wish.sharing() instanceof Sharing.Shared;
	}

	/** Whether it enters a hold that its thread has; each permit is one of its own. */
	boolean nests() {
		return !(this.wish.sharing() instanceof Sharing.Permit);
	}

	String caller() {
		return this.wish.caller();
	}

	LockOptions options() {
		return this.wish.options();
	}

	/** How many may wait in this process, itself included. */
	int maxWaiters() {
		return this.wish.maxWaiters();
	}

	/** Whether it waits at all if the first answer is no. */
	boolean patient() {
		return this.wish.waitNanos() > 0;
	}

	/** The thread that owns what it gets, or {@code null} if the handle does. */
	abstract @Nullable Thread thread();

	/** Whether the owner can never release any more. */
	boolean ownerGone() {
		Thread thread = thread();
		return thread != null && !thread.isAlive();
	}

	/** The owner, for those who find the lock busy. */
	abstract String ownerName();

	/** Whether it will unlock by its thread, without a handle. */
	abstract boolean reportsAtUnlock();

	/** Whether it must be told when its time is over. */
	abstract boolean needsAlarm();

	/** The outcome is there. Called outside the monitor. */
	abstract void wake();

	long deadline() {
		return this.deadline;
	}

	long remaining(long now) {
		return this.deadline - now;
	}

	/**
	 * Whether its time is over but the store still owes the answer that decides between
	 * granted, busy and unknown.
	 */
	boolean overdue() {
		return this.overdue;
	}

	void markOverdue() {
		this.overdue = true;
	}

	final @Nullable Outcome outcome() {
		return this.outcome;
	}

	final boolean ended() {
		return this.outcome != null;
	}

	/** Ends the waiting; the waiter is woken when the monitor has been left. */
	final void end(Outcome outcome, Monitor monitor) {
		this.outcome = outcome;
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
		 * So many wait here already that it was not let in line.
		 *
		 * @param holder who holds the lock, as far as known
		 */
		record Crowded(@Nullable Holder holder) implements Outcome {
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
