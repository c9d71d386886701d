package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;

/**
 * Holds a small pool of connections with the same server, user, encryption and driver
 * properties as the application's pool. So no lock waits for a connection of the
 * application. The application's threads may use up all its connections while they wait
 * for locks.
 */
final class OwnPool extends ConnectionSource {

	private static final Duration IDLE = Duration.ofMinutes(1);

	/** The shortest timeout that HikariCP allows. */
	private static final Duration LEAST_TIMEOUT = Duration.ofMillis(250);

	private final AtomicInteger renewals = new AtomicInteger();

	/** Connections whose waits for locked rows are limited already. */
	private final Set<Connection> limited = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private final HikariDataSource application;

	private final HikariDataSource own;

	private OwnPool(HikariDataSource application, HikariDataSource own) {
		super(own);
		this.application = application;
		this.own = own;
	}

	/**
	 * Makes a pool; opens no connection before the first use.
	 * @param application the application's pool
	 * @return the pool, or empty if the application has another kind of pool
	 */
	static Optional<ConnectionSource> like(DataSource application, int connections, Duration timeout)
			throws SQLException {
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

	@Override
	boolean isOwn() {
		return true;
	}

	@Override
	Optional<String> url() {
		return Optional.ofNullable(this.own.getJdbcUrl());
	}

	/** Also limits how long the test of a connection may take. */
	@Override
	void limit(Duration timeout) {
		long millis = Math.max(LEAST_TIMEOUT.toMillis(), timeout.toMillis());
		this.own.setConnectionTimeout(millis);
		this.own.setValidationTimeout(Math.min(this.own.getValidationTimeout(), millis));
	}

	/** Limits a connection only once, because no other code uses it. */
	@Override
	void limitLockWait(Session session, Dialect.LockWait wait) throws SQLException {
		Connection pooled = session.connection().unwrap(Connection.class);
		if (!this.limited.contains(pooled)) {
			session.limitLockWaitForGood(wait);
			this.limited.add(pooled);
		}
	}

	/** Connects anew, with the user and the password that the application has now. */
	@Override
	void renew() {
		this.renewals.incrementAndGet();
		this.own.setUsername(this.application.getUsername());
		this.own.setPassword(this.application.getPassword());
		HikariPoolMXBean connections = this.own.getHikariPoolMXBean();
		if (connections != null) {
			connections.softEvictConnections();
		}
	}

	@Override
	int renewals() {
		return this.renewals.get();
	}

	@Override
	public void close() {
		this.own.close();
	}

}
