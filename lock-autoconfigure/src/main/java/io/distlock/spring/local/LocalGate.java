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

	private volatile @Nullable Thread owner;

	/** Whether its owner entered without a grant of the store. */
	private volatile boolean local;

	/**
	 * Waits for the gate.
	 * @param nanos how long at most, zero or less for a single attempt
	 * @param withoutGrant whether the store did not answer
	 * @return whether the calling thread is in
	 */
	boolean enter(long nanos, boolean withoutGrant) throws InterruptedException {
		if (this.owner == Thread.currentThread() && enterAgain()) {
			return true;
		}
		if (!this.free.tryAcquire(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
			return false;
		}
		this.local = withoutGrant;
		this.depth.set(1);
		this.owner = Thread.currentThread();
		return true;
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

}
