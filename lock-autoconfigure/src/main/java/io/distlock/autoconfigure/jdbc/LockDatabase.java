package io.distlock.autoconfigure.jdbc;

import javax.sql.DataSource;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.autoconfigure.StoreCheck.Findings;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.JdbcStartupCheck;

/**
 * The database that keeps locks, with its table if it was to be created.
 *
 * @param dataSource makes connections
 */
record LockDatabase(DataSource dataSource) {

	/**
	 * Chooses the database, and creates the table where this is wanted.
	 * @param dataSources those of the application
	 * @param path what precedes the names of the properties
	 * @param properties what is configured
	 * @param settings the settings of the store
	 * @return the database
	 */
	static LockDatabase of(LockDataSources dataSources, String path, LockProperties.Jdbc properties,
			JdbcLockStoreSettings settings) {
		DataSource dataSource = dataSources.get(path + "jdbc.data-source", properties.dataSource());
		LockTableInitializer.initialize(dataSource, settings.table(), properties.initializeSchema(),
				path + "jdbc.initialize-schema");
		return new LockDatabase(dataSource);
	}

	static JdbcLockStoreSettings settings(LockProperties.Jdbc properties, LockSettings settings) {
		return JdbcLockStoreSettings.builder()
			.table(properties.table())
			.keyPrefix(properties.keyPrefix())
			.connections(properties.connections())
			.commandTimeout(settings.commandTimeout())
			.pollInterval(properties.pollInterval())
			.keepIdle(properties.keepIdle())
			.notifications(properties.notifications())
			.build();
	}

	static StoreCheck check(JdbcStartupCheck check, String path, LockProperties.Jdbc properties) {
		return new StoreCheck(properties.startupCheck(), "The database cannot keep locks", "the database",
				path + "jdbc.startup-check", () -> findings(check.run()));
	}

	private static Findings findings(JdbcStartupCheck.Result result) {
		if (result instanceof JdbcStartupCheck.Result.Unreachable unreachable) {
			return Findings.unreachable(unreachable.message(), unreachable.cause());
		}
		return (result instanceof JdbcStartupCheck.Result.Problems found) ? Findings.problems(found.problems())
				: Findings.passed(((JdbcStartupCheck.Result.Passed) result).warnings());
	}

}
