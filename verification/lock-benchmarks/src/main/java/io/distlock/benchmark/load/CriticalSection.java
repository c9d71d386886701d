package io.distlock.benchmark.load;

/** What is done under the lock, and shows if two did it at once. */
public interface CriticalSection {

	/**
	 * Runs under the lock.
	 * @param key which lock
	 * @param phase what it counts for
	 */
	void run(int key, Phase phase);

}
