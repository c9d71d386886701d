package io.distlock;

import java.time.Duration;

/**
 * A lock template with its lifecycle, as {@link io.distlock.engine.LockTemplateBuilder}
 * creates it. Code that only acquires locks depends on {@link LockTemplate}.
 */
public interface CloseableLockTemplate extends LockTemplate, AutoCloseable {

	/**
	 * Returns the id of this template among all that share the store, new at every start.
	 * @return 128 random bits in hexadecimal digits
	 */
	String instance();

	/**
	 * Returns how late renewals are sent, which is the first sign that locks may be lost.
	 * All are sent by one thread; the delay is near zero unless the process is stopped or
	 * starved of CPU.
	 * @return the longest delay over the last 30–60 s
	 */
	Duration renewalLag();

	/**
	 * Returns for how long the thread that renews locks has been overdue. While it is
	 * stuck, nothing is renewed and no time limit is kept.
	 * @return near zero while the thread works
	 */
	Duration housekeepingOverdue();

	/**
	 * Returns whether no lock is held, awaited or still to be released in the store.
	 * @return {@code true} if nothing of any lock is left in memory
	 */
	boolean isIdle();

	/**
	 * Refuses new locks at once, waits for held locks to be released, leaves the queues
	 * and stops the store. Blocks the calling thread. A lock that is still held
	 * afterwards is not released under its running body: it ends with its lease, and its
	 * loss is reported then. Calling it again does nothing.
	 * @param grace how long to wait for running bodies, zero or more
	 * @return {@code true} if no lock was held any more
	 */
	boolean shutdown(Duration grace);

	/** Shuts down without waiting for running bodies. */
	@Override
	default void close() {
		shutdown(Duration.ZERO);
	}

}
