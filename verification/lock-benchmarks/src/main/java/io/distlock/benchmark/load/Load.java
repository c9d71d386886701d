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
 * @param pause how long a thread rests after a release
 */
public record Load(int threads, int keys, Duration body, boolean virtual, Duration pause) {

	/**
	 * Everybody wants the same lock.
	 * @param threads how many
	 * @param body how long the lock is held
	 * @return the load
	 */
	public static Load contended(int threads, Duration body) {
		return new Load(threads, 1, body, false, Duration.ZERO);
	}

	/**
	 * Hardly anybody ever waits.
	 * @param threads how many
	 * @param keys how many locks
	 * @return the load
	 */
	public static Load uncontended(int threads, int keys) {
		return new Load(threads, keys, Duration.ZERO, false, Duration.ZERO);
	}

	/**
	 * The same with virtual threads.
	 * @return a copy
	 */
	public Load onVirtualThreads() {
		return new Load(this.threads, this.keys, this.body, true, this.pause);
	}

	/**
	 * The same with a rest after each release.
	 * @param pause how long
	 * @return a copy
	 */
	public Load every(Duration pause) {
		return new Load(this.threads, this.keys, this.body, this.virtual, pause);
	}

}
