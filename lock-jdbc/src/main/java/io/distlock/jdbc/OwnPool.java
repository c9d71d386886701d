package io.distlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;

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

	private final HikariDataSource application;

	private final HikariDataSource own;

	OwnPool(HikariDataSource application, HikariDataSource own) {
		this.application = application;
		this.own = own;
	}

	/**
	 * Makes a pool; no connection is made before one is wanted.
	 * @param application the application's pool
	 * @return the pool, or empty if the application's is of another kind
	 */
	static Optional<OwnPool> like(DataSource application, int connections, Duration timeout) throws SQLException {
		if (!application.isWrapperFor(HikariDataSource.class)) {
			return Optional.empty();
		}
		HikariConfig config = new HikariConfig();
		HikariDataSource like = application.unwrap(HikariDataSource.class);
		like.copyStateTo(config);
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
		return Optional.of(new OwnPool(like, new HikariDataSource(config)));
	}

	/** How long one waits for a connection from now on. */
	void limit(Duration timeout) {
		this.own.setConnectionTimeout(Math.max(LEAST_TIMEOUT.toMillis(), timeout.toMillis()));
	}

	Optional<String> url() {
		return Optional.ofNullable(this.own.getJdbcUrl());
	}

	DataSource dataSource() {
		return this.own;
	}

	/** Connects anew, with the user and the password that the application has now. */
	void renew() {
		this.own.setUsername(this.application.getUsername());
		this.own.setPassword(this.application.getPassword());
		HikariPoolMXBean connections = this.own.getHikariPoolMXBean();
		if (connections != null) {
			connections.softEvictConnections();
		}
	}

	void close() {
		this.own.close();
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
