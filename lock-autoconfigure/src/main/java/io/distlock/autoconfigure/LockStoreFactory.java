package io.distlock.autoconfigure;

import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.spi.LockStore;

/** Makes the stores of {@code distributed-lock.stores} that are of one type. */
public interface LockStoreFactory {

	/** What precedes the names of the properties of the default store. */
	String DEFAULT_PATH = LockProperties.PREFIX + ".";

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
	 * @throws LockConfigurationException if it cannot be created of these properties
	 */
	CreatedStore create(String path, Store properties);

	/**
	 * A store that was created.
	 *
	 * @param store the store
	 * @param check says at startup whether it can keep locks
	 * @param connections what to close after the store was stopped
	 */
	record CreatedStore(LockStore store, StoreCheck check, AutoCloseable connections) {

		/**
		 * Creates a store that has no connections to close.
		 * @param store the store
		 * @param check says at startup whether it can keep locks
		 */
		public CreatedStore(LockStore store, StoreCheck check) {
			this(store, check, () -> {
			});
		}

	}

}
