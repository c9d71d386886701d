package io.distlock.benchmark.peer;

/** One implementation of a lock, connected. Thread-safe. */
public interface Peer extends AutoCloseable {

	/**
	 * Acquires a lock, however long it takes.
	 * @param key which lock
	 * @return what releases it, on the same thread
	 */
	Held acquire(String key);

	/**
	 * Ways to hold a lock together with others.
	 * @return them
	 * @throws UnsupportedOperationException if it has none
	 */
	default Together together() {
		throw new UnsupportedOperationException(getClass().getSimpleName());
	}

	/**
	 * Whether a thread looks as if it had a place among those who wait for a lock. Most
	 * libraries do not tell more than that the thread does not run.
	 * @param thread a thread that acquires a lock
	 * @return whether it waits
	 */
	default boolean isWaiting(Thread thread) {
		return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
	}

	@Override
	void close();

	/** A lock that is held. */
	@FunctionalInterface
	interface Held {

		/** Releases the lock, as its users do it. */
		void release();

	}

}
