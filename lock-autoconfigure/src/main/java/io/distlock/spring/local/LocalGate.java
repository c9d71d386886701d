package io.distlock.spring.local;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time run bodies of a key, granted or not, first come, first
 * served. The thread may enter again. Another thread may leave for it, as the end of a
 * transaction does.
 */
final class LocalGate {

	private final Semaphore free = new Semaphore(1, true);

	private final AtomicInteger depth = new AtomicInteger();

	private final AtomicInteger waiting = new AtomicInteger();

	private volatile @Nullable Thread owner;

	/** Whether its owner entered without a grant of the store. */
	private volatile boolean local;

	/**
	 * Waits for the gate.
	 * @param nanos how long at most, zero or less for a single attempt
	 * @param withoutGrant whether the store did not answer
	 * @param maxWaiters how many threads may wait; one with a grant waits in any case,
	 * because the engine has admitted it
	 * @return whether the calling thread is in
	 */
	Entry enter(long nanos, boolean withoutGrant, int maxWaiters) throws InterruptedException {
		if (this.owner == Thread.currentThread() && enterAgain()) {
			return Entry.IN;
		}
		if (!this.free.tryAcquire(0, TimeUnit.NANOSECONDS)) {
			Entry waited = await(nanos, withoutGrant ? maxWaiters : Integer.MAX_VALUE);
			if (waited != Entry.IN) {
				return waited;
			}
		}
		this.local = withoutGrant;
		this.depth.set(1);
		this.owner = Thread.currentThread();
		return Entry.IN;
	}

	private Entry await(long nanos, int maxWaiters) throws InterruptedException {
		if (nanos <= 0) {
			return Entry.BUSY;
		}
		try {
			if (this.waiting.incrementAndGet() > maxWaiters) {
				return Entry.TOO_MANY_WAITERS;
			}
			return this.free.tryAcquire(nanos, TimeUnit.NANOSECONDS) ? Entry.IN : Entry.BUSY;
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

	/** Fails if another thread has just left for this one. */
	private boolean enterAgain() {
		for (int current = this.depth.get(); current > 0; current = this.depth.get()) {
			if (this.depth.compareAndSet(current, current + 1)) {
				return true;
			}
		}
		return false;
	}

	void leave() {
		if (this.depth.decrementAndGet() == 0) {
			this.owner = null;
			this.free.release();
		}
	}

	/** Whether the calling thread is in without a grant of the store. */
	boolean isLocalHere() {
		return this.owner == Thread.currentThread() && this.local && this.depth.get() > 0;
	}

	/** Who is in, if that is known. */
	@Nullable Thread owner() {
		return this.owner;
	}

	/** How many threads wait. */
	int waiting() {
		return this.waiting.get();
	}

	/** What became of an attempt to enter. */
	enum Entry {

		IN, BUSY, TOO_MANY_WAITERS

	}

}
