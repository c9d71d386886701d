package io.distlock.benchmark.load;

import java.time.Duration;

/**
 * What a crew does.
 *
 * @param threads how many want a lock
 * @param keys how many locks there are: one for all, one for each, or more than threads,
 * then each acquisition picks one at random
 * @param body how long the lock is held
 * @param virtual whether the threads are virtual
 */
public record Load(int threads, int keys, Duration body, boolean virtual) {

	/**
	 * Everybody wants the same lock.
	 * @param threads how many
	 * @param body how long the lock is held
	 * @return the load
	 */
	public static Load contended(int threads, Duration body) {
		return new Load(threads, 1, body, false);
	}

	/**
	 * Hardly anybody ever waits.
	 * @param threads how many
	 * @param keys how many locks
	 * @return the load
	 */
	public static Load uncontended(int threads, int keys) {
		return new Load(threads, keys, Duration.ZERO, false);
	}

	/**
	 * The same with virtual threads.
	 * @return a copy
	 */
	public Load onVirtualThreads() {
		return new Load(this.threads, this.keys, this.body, true);
	}

}
