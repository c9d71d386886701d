package io.distlock.stores;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

import io.distlock.LockException;
import io.distlock.LockLostException;
import io.distlock.spi.LockClock;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/** A {@link Lock} that a thread holds in all of several stores, or in none. */
final class LockInStores implements Lock {

	private final String key;

	private final List<InStore> inStores;

	private final LockClock clock;

	/**
	 * Creates a view.
	 * @param key the lock
	 * @param inStores the lock in each store, in the order of their acquisition
	 * @param clock the time
	 */
	LockInStores(String key, List<InStore> inStores, LockClock clock) {
		this.key = key;
		this.inStores = List.copyOf(inStores);
		this.clock = clock;
	}

	@Override
	public void lock() {
		try {
			takeAll((each) -> {
				each.lock();
				return true;
			});
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("An uninterruptible wait was interrupted", ex);
		}
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		takeAll((each) -> {
			each.lockInterruptibly();
			return true;
		});
	}

	@Override
	public boolean tryLock() {
		try {
			return takeAll(Lock::tryLock);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("An uninterruptible wait was interrupted", ex);
		}
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		long giveUp = this.clock.nanoTime() + Math.min(unit.toNanos(time), Long.MAX_VALUE / 2);
		return takeAll((each) -> each.tryLock(Math.max(0, giveUp - this.clock.nanoTime()), TimeUnit.NANOSECONDS));
	}

	/** While it waits for one store, it may lose the lock in another one. */
	private boolean takeAll(Attempt attempt) throws InterruptedException {
		int taken = 0;
		try {
			for (InStore each : this.inStores) {
				if (!attempt.take(each.lock())) {
					int earlier = taken;
					taken = 0;
					throwLoss(unlock(earlier));
					return false;
				}
				taken++;
				if (!isHeld(taken)) {
					int all = taken;
					taken = 0;
					throwLoss(unlock(all));
					throw new LockException(this.key, "Lock '" + KeyText.of(this.key)
							+ "' was lost in one store while the thread waited for another one", null);
				}
			}
			return true;
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			RuntimeException failure = unlock(taken);
			if (failure != null) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
	}

	private boolean isHeld(int taken) {
		return this.inStores.subList(0, taken).stream().allMatch((each) -> each.held().getAsBoolean());
	}

	private static void throwLoss(@Nullable RuntimeException failure) {
		if (failure instanceof LockLostException) {
			throw failure;
		}
	}

	@Override
	public void unlock() {
		RuntimeException failure = unlock(this.inStores.size());
		if (failure != null) {
			throw failure;
		}
	}

	/** Unlocks last first, all of them whatever happens. */
	private @Nullable RuntimeException unlock(int taken) {
		RuntimeException failure = null;
		for (int i = taken - 1; i >= 0; i--) {
			try {
				this.inStores.get(i).lock().unlock();
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
		return this.inStores.get(0).lock().newCondition();
	}

	@Override
	public String toString() {
		return this.inStores.get(0).lock() + " in " + this.inStores.size() + " stores";
	}

	/**
	 * The lock in one store.
	 *
	 * @param lock the view of it
	 * @param held whether the calling thread holds it
	 */
	record InStore(Lock lock, BooleanSupplier held) {
	}

	/** One step of an acquisition. */
	@FunctionalInterface
	private interface Attempt {

		boolean take(Lock lock) throws InterruptedException;

	}

}
