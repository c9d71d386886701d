package io.distlock;

import java.time.Duration;

/**
 * A lock template that can be shut down. {@link io.distlock.engine.LockTemplateBuilder}
 * creates it. Code that only acquires locks depends on {@link LockTemplate}.
 */
public interface CloseableLockTemplate extends LockTemplate, AutoCloseable {

	/**
	 * Returns the id that tells this template from all others that share the store. Each
	 * start creates a new id.
	 * @return 128 random bits in hexadecimal digits
	 */
	String instance();

	/**
	 * Returns how late renewals are sent. A delay is the first sign that locks may be
	 * lost. One thread sends all renewals. The delay is near zero unless the process is
	 * stopped or starved of CPU.
	 * @return the longest delay over the last 30–60 s
	 */
	Duration renewalLag();

	/**
	 * Returns how long the thread that renews locks has been overdue. While that thread
	 * is stuck, locks are not renewed and time limits are not kept.
	 * @return near zero while the thread works
	 */
	Duration housekeepingOverdue();

	/**
	 * Returns whether no lock is held, awaited or still to be released in the store.
	 * @return {@code true} if no state of any lock is left in memory
	 */
	boolean isIdle();

	/**
	 * Refuses new locks at once, waits until held locks are released, leaves the queues
	 * and stops the store. Blocks the calling thread. A lock that is still held after the
	 * wait is not released, because its body still runs. It ends with its lease, and its
	 * loss is reported then. A second call does nothing.
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
