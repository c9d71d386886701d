package io.distlock.internal.monitor;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.distlock.internal.time.LocalDeadline;
import org.jspecify.annotations.Nullable;

/**
 * The latest moment at which the housekeeping thread wakes. Any thread may bring this
 * moment forward.
 */
public final class WakeTime {

	private final AtomicLong moment;

	private volatile @Nullable Thread sleeper;

	/**
	 * Creates a moment.
	 * @param moment a moment of the monotonic clock
	 */
	public WakeTime(long moment) {
		this.moment = new AtomicLong(moment);
	}

	/**
	 * Sets the thread to wake.
	 * @param thread parks until the moment
	 */
	public void wakes(Thread thread) {
		this.sleeper = thread;
	}

	/**
	 * Returns the moment.
	 * @return a moment of the monotonic clock
	 */
	public long get() {
		return this.moment.get();
	}

	/**
	 * Replaces the moment. From now on {@link #noLaterThan} brings the new moment
	 * forward.
	 * @param latest a moment of the monotonic clock
	 */
	public void reset(long latest) {
		this.moment.set(latest);
	}

	/**
	 * Brings the moment forward without waking the thread. Only that thread calls this
	 * method.
	 * @param due a moment of the monotonic clock
	 * @return the moment
	 */
	public long bringForward(long due) {
		return this.moment.accumulateAndGet(due, LocalDeadline::earlier);
	}

	/**
	 * Brings the moment forward, and wakes the thread if it parks until a later one.
	 * @param due a moment of the monotonic clock
	 */
	public void noLaterThan(long due) {
		// A read is cheaper than a write, and every event of every key ends here.
		if (due - this.moment.get() < 0 && due - this.moment.getAndAccumulate(due, LocalDeadline::earlier) < 0) {
			LockSupport.unpark(this.sleeper);
		}
	}

}
