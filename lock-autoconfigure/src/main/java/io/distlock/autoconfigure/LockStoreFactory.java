package io.distlock.autoconfigure;

import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.spi.LockStore;

/** Makes the stores of {@code distributed-lock.stores} that are of one type. */
public interface LockStoreFactory {

	/**
	 * Returns the type of its stores.
	 * @return the type
	 */
	StoreType type();

	/**
	 * Makes a store.
	 * @param path what precedes the names of its properties in messages, with a full stop
	 * at its end: {@code distributed-lock.stores.audit.}
	 * @param properties how it is configured
	 * @return the store, not started yet
	 * @throws LockConfigurationException if it cannot be made of these properties
	 */
	Made make(String path, Store properties);

	/**
	 * A store that was made.
	 *
	 * @param store the store
	 * @param check says at startup whether it can keep locks
	 * @param connections what to close after the store was stopped
	 */
	record Made(LockStore store, StoreCheck check, AutoCloseable connections) {

		/**
		 * Creates a store that has no connections to close.
		 * @param store the store
		 * @param check says at startup whether it can keep locks
		 */
		public Made(LockStore store, StoreCheck check) {
			this(store, check, () -> {
			});
		}

	}

}
