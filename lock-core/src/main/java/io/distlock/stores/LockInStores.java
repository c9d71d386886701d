package io.distlock.stores;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import io.distlock.spi.LockClock;
import org.jspecify.annotations.Nullable;

/** A {@link Lock} that a thread holds in all of several stores, or in none. */
final class LockInStores implements Lock {

	private final List<Lock> inStores;

	private final LockClock clock;

	/**
	 * Creates a view.
	 * @param inStores the same lock in each store, in the order of their acquisition
	 * @param clock the time
	 */
	LockInStores(List<Lock> inStores, LockClock clock) {
		this.inStores = List.copyOf(inStores);
		this.clock = clock;
	}

	@Override
	public void lock() {
		int taken = 0;
		try {
			for (Lock each : this.inStores) {
				each.lock();
				taken++;
			}
		}
		catch (RuntimeException | Error ex) {
			giveBack(taken, ex);
			throw ex;
		}
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		int taken = 0;
		try {
			for (Lock each : this.inStores) {
				each.lockInterruptibly();
				taken++;
			}
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			giveBack(taken, ex);
			throw ex;
		}
	}

	@Override
	public boolean tryLock() {
		int taken = 0;
		try {
			for (Lock each : this.inStores) {
				if (!each.tryLock()) {
					giveBack(taken, null);
					return false;
				}
				taken++;
			}
			return true;
		}
		catch (RuntimeException | Error ex) {
			giveBack(taken, ex);
			throw ex;
		}
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		long giveUp = this.clock.nanoTime() + Math.min(unit.toNanos(time), Long.MAX_VALUE / 2);
		int taken = 0;
		try {
			for (Lock each : this.inStores) {
				if (!each.tryLock(Math.max(0, giveUp - this.clock.nanoTime()), TimeUnit.NANOSECONDS)) {
					giveBack(taken, null);
					return false;
				}
				taken++;
			}
			return true;
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			giveBack(taken, ex);
			throw ex;
		}
	}

	@Override
	public void unlock() {
		RuntimeException failure = unlock(this.inStores.size());
		if (failure != null) {
			throw failure;
		}
	}

	private void giveBack(int taken, @Nullable Throwable cause) {
		RuntimeException failure = unlock(taken);
		if (failure != null && cause != null) {
			cause.addSuppressed(failure);
		}
	}

	/** Unlocks last first, all of them whatever happens. */
	private @Nullable RuntimeException unlock(int taken) {
		RuntimeException failure = null;
		for (int i = taken - 1; i >= 0; i--) {
			try {
				this.inStores.get(i).unlock();
			}
			catch (RuntimeException ex) {
				if (failure != null) {
					ex.addSuppressed(failure);
				}
				failure = ex;
			}
		}
		return failure;
	}

	@Override
	public Condition newCondition() {
		return this.inStores.get(0).newCondition();
	}

	@Override
	public String toString() {
		return this.inStores.get(0) + " in " + this.inStores.size() + " stores";
	}

}
