package io.distlock.autoconfigure.jdbc;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.JdbcStartupCheck;

/**
 * Makes stores in databases.
 *
 * @param dataSources those of the application
 * @param settings what all stores share
 */
record JdbcLockStoreFactory(LockDataSources dataSources, LockSettings settings) implements LockStoreFactory {

	@Override
	public StoreType type() {
		return StoreType.JDBC;
	}

	@Override
	public CreatedStore create(String path, Store properties) {
		if (properties.jdbc().commitCheck()) {
			throw new LockConfigurationException(
					"The property " + path
							+ "jdbc.commit-check is true, but commits are checked in the default store only.",
					"Remove it, and use a fence where a late write would do harm.");
		}
		JdbcLockStoreSettings own = LockDatabase.settings(properties.jdbc(), this.settings);
		LockDatabase database = LockDatabase.of(this.dataSources, path, properties.jdbc(), own);
		return new CreatedStore(new JdbcLockStore(database.dataSource(), own),
				LockDatabase.check(new JdbcStartupCheck(database.dataSource(), own), path, properties.jdbc()));
	}

}
