package io.distlock.autoconfigure.jdbc;

import io.distlock.jdbc.JdbcLockStoreSettings;

/**
 * Changes the settings of stores in a database after the properties were applied, for
 * instance the number of connections. All beans of this type are called in their order.
 */
@FunctionalInterface
public interface JdbcLockStoreBuilderCustomizer {

	/**
	 * Changes the settings of a store.
	 * @param id id of the store under {@code distributed-lock.stores}, or {@code default}
	 * @param builder the settings that the properties result in
	 */
	void customize(String id, JdbcLockStoreSettings.Builder builder);

}
