package io.distlock.internal.waiting;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.hold.Owner;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.observe.ObservedAcquisition;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.observe.GrantKind;
import io.distlock.observe.RefusalReason;
import io.distlock.spi.CallingThread;
import io.distlock.spi.LockClock;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * A caller that wants a lock. Its outcome is set once, under the monitor of the key, so
 * that a grant, a timeout and an interrupt cannot all happen.
 */
public abstract sealed class Waiter permits ThreadWaiter, AsyncWaiter, Extension {

	private final Owner owner;

	private final long deadline;

	private final long since;

	private boolean overdue;

	/** Whether an error has ended its caller. */
	private volatile boolean abandoned;

	private volatile @Nullable Outcome outcome;

	/**
	 * Creates a waiter.
	 * @param owner who asks
	 * @param now the monotonic clock
	 */
	Waiter(Owner owner, long now) {
		this.owner = owner;
		this.deadline = now + owner.request().waitNanos();
		this.since = now;
	}

	/**
	 * Returns the owner, which asks now and owns the hold later.
	 * @return the owner
	 */
	public final Owner owner() {
		return this.owner;
	}

	/** Returns how long the waiter wants to hold. */
	public LeaseTerm term() {
		return this.owner.term();
	}

	/**
	 * Returns which other holds may exist beside its hold.
	 * @return the kind of hold
	 */
	public Sharing sharing() {
		return this.owner.sharing();
	}

	/** Returns whether the waiter is a reader. */
	public boolean shared() {
		return this.owner.shared();
	}

	/** Returns whether the acquisition may be nested in a hold of the same thread. */
	public boolean nests() {
		return this.owner.nests();
	}

	/** Returns how many waiters this process may have for the key, including this one. */
	public int maxWaiters() {
		return this.owner.request().maxWaiters();
	}

	/** Returns whether the number of waiters is limited. */
	public boolean isLimited() {
		return maxWaiters() < Integer.MAX_VALUE;
	}

	/** Returns whether the waiter waits at all if the first answer is no. */
	public boolean patient() {
		return this.owner.request().waitNanos() > 0;
	}

	/** Returns the thread that may execute the command of this waiter. */
	public CallingThread callingThread() {
		return CallingThread.NONE;
	}

	/** Returns whether the housekeeper must watch the time of this waiter. */
	abstract boolean needsTimeout();

	/** Returns whether the calling thread is the thread that would be woken. */
	boolean isAwake() {
		return false;
	}

	/** Notifies the waiter of its outcome. Called outside the monitor. */
	abstract void wake();

	long deadline() {
		return this.deadline;
	}

	/**
	 * Returns how long the waiter still waits.
	 * @param now the monotonic clock
	 * @return nanoseconds; zero or less when its time is over
	 */
	public long remaining(long now) {
		return this.deadline - now;
	}

	/**
	 * Returns how long the waiter has waited.
	 * @param now the monotonic clock
	 * @return nanoseconds
	 */
	public long waited(long now) {
		return now - this.since;
	}

	/**
	 * Returns whether the time of this waiter is over while the store still owes the
	 * answer. That answer decides between granted, busy and unknown.
	 * @return {@code true} if so
	 */
	public boolean overdue() {
		return this.overdue;
	}

	/**
	 * Notes that the time of this waiter is over while the store still owes the answer.
	 */
	public void markOverdue() {
		this.overdue = true;
	}

	/**
	 * Returns the outcome of the wait.
	 * @return the outcome, or {@code null} if it has not ended
	 */
	public final @Nullable Outcome outcome() {
		return this.outcome;
	}

	/** Returns whether the wait has ended. */
	public final boolean ended() {
		return this.outcome != null;
	}

	/**
	 * Ends the wait.
	 * @param outcome the outcome of the wait
	 * @param monitor the monitor that is left before the waiter is woken
	 */
	public final void end(Outcome outcome, Monitor monitor) {
		if (!isAwake()) {
			monitor.afterwards(this::wake);
		}
		// Set last: once there is an outcome, the waiter is certain to be woken, even
		// if something fails.
		this.outcome = outcome;
		if (outcome instanceof Hold hold) {
			hold.granted();
		}
		if (this.abandoned) {
			abandonHold();
		}
	}

	/**
	 * Lets the hold of this waiter, now or later, end with its lease. An error has ended
	 * the caller, which will release nothing. This method needs neither memory nor the
	 * monitor.
	 */
	public final void abandon() {
		this.abandoned = true;
		abandonHold();
	}

	private void abandonHold() {
		if (this.outcome instanceof Hold hold) {
			hold.abandon();
		}
	}

	/** Returns whether only an error can have left this waiter in a queue. */
	final boolean isDead() {
		return this.abandoned || this.outcome != null;
	}

	/** Returns whether anything is notified of this wait. */
	public boolean isObserved() {
		return this.owner.observed() != ObservedAcquisition.NONE;
	}

	/** Notes that others hold the lock. Called under the monitor of the key. */
	public void waitsFor(@Nullable Holder holder, Monitor monitor) {
		ObservedAcquisition observed = this.owner.observed();
		Runnable report = ended() ? null : observed.waitsFor(holder);
		if (report != null && !reportsItself(report)) {
			monitor.afterwards(() -> observed.reportLater(report));
		}
	}

	/**
	 * Returns whether the thread of this waiter runs a report itself. The report may
	 * block, so the thread runs it after its commands.
	 */
	boolean reportsItself(Runnable report) {
		return false;
	}

	/**
	 * Notes that a thread of this process held the lock until now, and that the store is
	 * asked again. Called under the monitor of the key.
	 */
	void waitedHere() {
		this.owner.observed().waitedHere();
	}

	/**
	 * Notes that the lock is about to be granted. Called under the monitor of the key.
	 */
	public void grantedBy(GrantKind how) {
		this.owner.observed().grantedBy(how);
	}

	/**
	 * Notifies observers of the outcome of the wait, even if an error prevented the wait.
	 * The thread that goes on calls this method, outside the monitor.
	 * @param clock the time
	 */
	public final void reportOutcome(LockClock clock) {
		ObservedAcquisition observed = this.owner.observed();
		Outcome how = this.outcome;
		if (!isObserved()) {
			return;
		}
		if (how instanceof Hold hold) {
			boolean nested = hold.owner() != this.owner;
			long moment = nested ? clock.nanoTime() : hold.acquiredNanos();
			observed.acquired(hold.fencingToken(), nested, Math.max(0, moment - this.since));
		}
		else {
			long waited = clock.nanoTime() - this.since;
			Holder holder = (how instanceof Outcome.Refused refused) ? refused.holder() : null;
			RuntimeException failure = (how instanceof Outcome.Failed failed) ? failed.failure() : null;
			observed.refused(reason(how), holder, failure, waited);
		}
	}

	private RefusalReason reason(@Nullable Outcome how) {
		if (how == null) {
			return RefusalReason.CANCELLED;
		}
		if (how instanceof Outcome.Busy) {
			return RefusalReason.BUSY;
		}
		if (how instanceof Outcome.TooManyWaiters) {
			return RefusalReason.TOO_MANY_WAITERS;
		}
		if (how instanceof Outcome.Failed failed) {
			return (failed.failure() instanceof LockStoreException) ? RefusalReason.STORE_FAILURE
					: RefusalReason.REFUSED;
		}
		return (this.owner.thread() != null) ? RefusalReason.INTERRUPTED : RefusalReason.CANCELLED;
	}

	/** Ends the wait with a hold. */
	public final void grant(Hold hold, Monitor monitor) {
		end(hold, monitor);
	}

	/** Ends the wait with an exception. A failure of the store is noted, too. */
	public final void fail(RuntimeException cause, Monitor monitor) {
		end(new Outcome.Failed(cause), monitor);
		if (cause instanceof LockStoreException failure) {
			monitor.callFailed(failure);
		}
	}

	/** The owner of the queue in which a waiter waits. */
	public interface QueueOwner {

		/**
		 * Ends the wait of a waiter whose time is over. If the store still owes an
		 * answer, the wait continues.
		 * @param waiter the waiter
		 */
		void overdue(Waiter waiter);

		/**
		 * Removes a waiter that does not want the lock any more.
		 * @param waiter the waiter
		 * @return {@code false} if its outcome was decided before
		 */
		boolean cancel(Waiter waiter);

	}

}
