package io.distlock.redis.optimistic;

import java.time.Duration;

/** Waits between two attempts. */
@FunctionalInterface
interface Pause {

	/**
	 * Waits for a random part of the time.
	 * @param longest the longest time
	 * @throws InterruptedException if the thread is interrupted, also before
	 */
	void upTo(Duration longest) throws InterruptedException;

}
