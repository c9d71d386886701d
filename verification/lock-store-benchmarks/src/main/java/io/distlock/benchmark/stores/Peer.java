package io.distlock.benchmark.stores;

/** One implementation of a lock, connected. Safe for use by several threads. */
interface Peer extends AutoCloseable {

	/** Acquires a lock, however long it takes; what is returned releases it. */
	Runnable acquire(String key) throws Exception;

	@Override
	void close();

}
