package io.distlock.autoconfigure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * A view of a lock that stays valid over a stop and start of the context. Views of one
 * key are interchangeable, so each call may get a new view.
 */
final class LifecycleLock implements Lock {

	private final Supplier<Lock> current;

	LifecycleLock(Supplier<Lock> current) {
		current.get(); // Refuses a wrong key at once, not at the first call.
		this.current = current;
	}

	@Override
	public void lock() {
		this.current.get().lock();
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		this.current.get().lockInterruptibly();
	}

	@Override
	public boolean tryLock() {
		return this.current.get().tryLock();
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return this.current.get().tryLock(time, unit);
	}

	@Override
	public void unlock() {
		this.current.get().unlock();
	}

	@Override
	public Condition newCondition() {
		return this.current.get().newCondition();
	}

}
