package io.distlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * A small pool whose connections are made like those of the application's pool: same
 * server, user, encryption and properties of the driver. So no lock waits for a
 * connection of the application, whose threads may all hold one while they wait for a
 * lock.
 */
final class OwnPool {

	private static final Duration IDLE = Duration.ofMinutes(1);

	/** The least that the pool takes. */
	private static final Duration LEAST_TIMEOUT = Duration.ofMillis(250);

	private OwnPool() {
	}

	/**
	 * Makes a pool; no connection is made before one is wanted.
	 * @param application the application's pool
	 * @return the pool, or empty if the application's is of another kind
	 */
	static Optional<HikariDataSource> like(DataSource application, int connections, Duration timeout)
			throws SQLException {
		if (!application.isWrapperFor(HikariDataSource.class)) {
			return Optional.empty();
		}
		HikariConfig config = new HikariConfig();
		application.unwrap(HikariDataSource.class).copyStateTo(config);
		config.setPoolName("distributed-lock");
		config.setMaximumPoolSize(connections);
		config.setMinimumIdle(0);
		config.setIdleTimeout(IDLE.toMillis());
		config.setConnectionTimeout(Math.max(LEAST_TIMEOUT.toMillis(), timeout.toMillis()));
		config.setValidationTimeout(Math.min(config.getValidationTimeout(), config.getConnectionTimeout()));
		config.setInitializationFailTimeout(-1);
		config.setAutoCommit(true);
		config.setReadOnly(false);
		config.setLeakDetectionThreshold(0);
		config.setRegisterMbeans(false);
		withoutMetrics(config);
		return Optional.of(new HikariDataSource(config));
	}

	private static void withoutMetrics(HikariConfig config) {
		if (config.getMetricRegistry() != null) {
			config.setMetricRegistry(null);
		}
		if (config.getMetricsTrackerFactory() != null) {
			config.setMetricsTrackerFactory(null);
		}
		if (config.getHealthCheckRegistry() != null) {
			config.setHealthCheckRegistry(null);
		}
	}

}
