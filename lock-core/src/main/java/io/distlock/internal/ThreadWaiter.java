package io.distlock.internal;

import java.util.concurrent.locks.LockSupport;

import io.distlock.spi.LockClock;

/** A thread that wants a lock and parks until it is told. */
final class ThreadWaiter extends Waiter {

	private final Thread thread = Thread.currentThread();

	private final boolean virtual = VirtualThreads.isVirtual(this.thread);

	private final LockClock clock;

	private final boolean reportsAtUnlock;

	/**
	 * Creates a waiter for the calling thread.
	 * @param wish what it wants
	 * @param clock the time
	 * @param reportsAtUnlock whether it will unlock by its thread, without a handle
	 */
	ThreadWaiter(Wish wish, LockClock clock, boolean reportsAtUnlock) {
		super(wish, clock.nanoTime());
		this.clock = clock;
		this.reportsAtUnlock = reportsAtUnlock;
	}

	/**
	 * Waits on the calling thread.
	 * @param place what it joined
	 * @param interruptible whether an interrupt ends the wait; otherwise it is kept for
	 * later
	 * @return how it ended
	 * @throws InterruptedException if interrupted; the lock is not held
	 */
	Outcome await(WaitingPlace place, boolean interruptible) throws InterruptedException {
		boolean interrupted = false;
		try {
			while (true) {
				Outcome outcome = outcome();
				if (outcome != null) {
					return outcome;
				}
				park(place);
				if (Thread.interrupted()) {
					interrupted = true;
					if (interruptible && place.cancel(this)) {
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

	private void park(WaitingPlace place) {
		long left = this.virtual ? LocalDeadline.FOREVER_NANOS : remaining(this.clock.nanoTime());
		if (left > 0) {
			this.clock.park(left);
		}
		else if (!overdue()) {
			place.overdue(this);
		}
		else {
			this.clock.park(LocalDeadline.FOREVER_NANOS);
		}
	}

	@Override
	Thread thread() {
		return this.thread;
	}

	@Override
	String ownerName() {
		return this.thread.getName();
	}

	@Override
	boolean reportsAtUnlock() {
		return this.reportsAtUnlock;
	}

	/**
	 * A platform thread watches its own time, to the microsecond. A virtual one would pay
	 * more for the timer than for all the rest.
	 */
	@Override
	boolean needsAlarm() {
		return this.virtual;
	}

	@Override
	void wake() {
		LockSupport.unpark(this.thread);
	}

}
