package io.distlock.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * A {@link Lock} that is owned by threads and reentrant, as the contract of that
 * interface demands.
 */
final class ThreadLock implements Lock {

	private final LockRequest request;

	private final boolean shared;

	private final SingleLocks locks;

	ThreadLock(LockRequest request, SingleLocks locks) {
		this.request = request;
		this.shared = request.mode() == LockMode.SHARED;
		this.locks = locks;
	}

	@Override
	public void lock() {
		try {
			this.locks.hold(this.request, this.locks.await(this.request, LocalDeadline.FOREVER_NANOS, false));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("An uninterruptible wait was interrupted", ex);
		}
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		this.locks.hold(this.request, this.locks.await(this.request, LocalDeadline.FOREVER_NANOS, true));
	}

	@Override
	public boolean tryLock() {
		try {
			return isHeld(this.locks.await(this.request, 0, false));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("An uninterruptible wait was interrupted", ex);
		}
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		long nanos = Math.min(Math.max(0, unit.toNanos(time)), LocalDeadline.FOREVER_NANOS);
		return isHeld(this.locks.await(this.request, nanos, true));
	}

	private boolean isHeld(Outcome outcome) {
		if (outcome instanceof Outcome.Refused) {
			return false;
		}
		this.locks.hold(this.request, outcome);
		return true;
	}

	@Override
	public void unlock() {
		Hold hold = this.locks.heldByCaller(this.request.key(), this.shared);
		if (hold == null) {
			throw notHeld();
		}
		this.locks.release(hold, this.shared);
	}

	private IllegalMonitorStateException notHeld() {
		return new IllegalMonitorStateException("Lock '" + KeyText.of(this.request.key()) + "' is not held "
				+ (this.shared ? "shared " : "") + "by thread '" + ForeignText.nameOf(Thread.currentThread()) + "'");
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock has no conditions");
	}

	@Override
	public String toString() {
		return "Lock[" + KeyText.of(this.request.key()) + (this.shared ? ", shared]" : "]");
	}

	/**
	 * Both locks of a key.
	 *
	 * @param readLock the shared lock
	 * @param writeLock the exclusive lock
	 */
	record ReadWrite(Lock readLock, Lock writeLock) implements ReadWriteLock {

		@Override
		public String toString() {
			return "ReadWriteLock[" + this.writeLock + "]";
		}

	}

}
