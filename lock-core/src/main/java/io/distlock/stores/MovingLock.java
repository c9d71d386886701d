package io.distlock.stores;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

import io.distlock.LockException;
import io.distlock.spi.LockClock;
import io.distlock.support.KeyText;

/**
 * A {@link Lock} that a thread holds in both the old and the next store, or in neither.
 *
 * @param key the lock
 * @param old the lock in the store where it is acquired first
 * @param next the lock in the other store
 * @param isHeld whether the calling thread holds the lock in the old store
 * @param clock the clock
 */
record MovingLock(String key, Lock old, Lock next, BooleanSupplier isHeld, LockClock clock) implements Lock {

	@Override
	public void lock() {
		Attempt<RuntimeException> second = () -> {
			this.next.lock();
			return true;
		};
		this.old.lock();
		then(second);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		Attempt<InterruptedException> second = () -> {
			this.next.lockInterruptibly();
			return true;
		};
		this.old.lockInterruptibly();
		then(second);
	}

	@Override
	public boolean tryLock() {
		Attempt<RuntimeException> second = this.next::tryLock;
		return this.old.tryLock() && then(second);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		long nanos = Math.min(Math.max(0, unit.toNanos(time)), Long.MAX_VALUE / 2);
		long giveUp = this.clock.nanoTime() + nanos;
		Attempt<InterruptedException> second = () -> this.next.tryLock(Math.max(0, giveUp - this.clock.nanoTime()),
				TimeUnit.NANOSECONDS);
		return this.old.tryLock(nanos, TimeUnit.NANOSECONDS) && then(second);
	}

	/**
	 * Acquires the lock in the next store, by an attempt that exists before the lock is
	 * acquired in the old store. Meanwhile the thread may lose the lock in the old store.
	 */
	private <E extends Exception> boolean then(Attempt<E> attempt) throws E {
		boolean taken = false;
		boolean held;
		try {
			taken = attempt.take();
			held = this.isHeld.getAsBoolean();
		}
		catch (Throwable ex) {
			try {
				unlock(taken);
			}
			catch (RuntimeException failure) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
		if (!taken || !held) {
			giveBack(taken);
		}
		return taken;
	}

	/**
	 * Gives back the acquired locks.
	 * @throws LockException if the lock was lost, so that other callers may have held it
	 * meanwhile
	 */
	private void giveBack(boolean both) {
		try {
			unlock(both);
		}
		catch (IllegalMonitorStateException ex) {
			// The loss is so long ago that the hold is no longer known.
		}
		if (both) {
			throw new LockException(this.key,
					"Lock '" + KeyText.of(this.key) + "' was lost in one store while the thread waited for another one",
					null);
		}
	}

	@Override
	public void unlock() {
		unlock(true);
	}

	/** Unlocks the lock in the old store, whatever happens in the next one. */
	private void unlock(boolean both) {
		try {
			if (both) {
				this.next.unlock();
			}
		}
		catch (RuntimeException | Error ex) {
			try {
				this.old.unlock();
			}
			catch (RuntimeException failure) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
		this.old.unlock();
	}

	@Override
	public Condition newCondition() {
		return this.old.newCondition();
	}

	@Override
	public String toString() {
		return this.old + " in 2 stores";
	}

	/**
	 * Takes the lock in the next store.
	 *
	 * @param <E> what it may throw
	 */
	@FunctionalInterface
	private interface Attempt<E extends Exception> {

		boolean take() throws E;

	}

}
