package io.distlock.benchmark.peer;

/** Locks that several may hold. Each method takes however long it takes. */
public interface Together {

	/**
	 * Acquires a lock together with others that read.
	 * @param key which lock
	 * @return what releases it, on the same thread
	 */
	Peer.Held read(String key);

	/**
	 * Acquires the same lock alone.
	 * @param key which lock
	 * @return what releases it, on the same thread
	 */
	Peer.Held write(String key);

	/**
	 * Acquires one of some permits, which comes back if the process dies.
	 * @param key of what
	 * @param permits how many there are
	 * @return what gives it back
	 */
	Peer.Held permit(String key, int permits);

}
