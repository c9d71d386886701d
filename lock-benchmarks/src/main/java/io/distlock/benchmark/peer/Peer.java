package io.distlock.benchmark.peer;

/** One implementation of a lock, connected. Thread-safe. */
public interface Peer extends AutoCloseable {

	/**
	 * Acquires a lock, however long it takes.
	 * @param key which lock
	 * @return what releases it, on the same thread
	 */
	Held acquire(String key);

	@Override
	void close();

	/** A lock that is held. */
	@FunctionalInterface
	interface Held {

		/** Releases the lock, as its users do it. */
		void release();

	}

}
