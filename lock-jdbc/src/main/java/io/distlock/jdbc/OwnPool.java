package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import com.zaxxer.hikari.pool.HikariPool;
import com.zaxxer.hikari.util.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * Holds a small pool of connections with the same server, user, encryption and driver
 * properties as the application's pool. So no lock waits for a connection of the
 * application. The application's threads may use up all its connections while they wait
 * for locks.
 */
final class OwnPool extends ConnectionSource {

	private static final String NAME = "distributed-lock";

	private static final String NAMED = "SET application_name = 'distributed-lock'";

	private static final Duration IDLE = Duration.ofMinutes(1);

	/** Of a pool that has not begun, and names no size. */
	private static final int USUAL_SIZE = 10;

	/** The shortest timeout that HikariCP allows. */
	private static final Duration LEAST_TIMEOUT = Duration.ofMillis(250);

	/** How often a wait looks whether the server has refused the connection. */
	private static final Duration GLANCE = Duration.ofMillis(500);

	/** Unlike a driver's own test, it ends after the time that the pool allows. */
	private static final String TEST = "SELECT 1";

	private final AtomicInteger renewals = new AtomicInteger();

	/** Connections whose statements are limited already. */
	private final Set<Connection> limited = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private final Optional<AbandonedStatements> abandoned = POSTGRES ? Optional.of(new AbandonedStatements())
			: Optional.empty();

	private final AtomicBoolean metered = new AtomicBoolean();

	/** Why the server gave no connection; the pool tells it to one caller only. */
	private volatile @Nullable SQLException refusal;

	private final LikeApplication config;

	private final HikariPool own;

	private final Duration timeout;

	private OwnPool(DataSource application, LikeApplication config, Duration timeout) {
		super(application, timeout);
		this.config = config;
		this.timeout = timeout;
		this.own = new HikariPool(config);
	}

	/**
	 * Makes a pool; opens no connection before the first use.
	 * @param application the application's pool
	 * @return the pool, or empty if the application has another kind of pool
	 */
	static Optional<ConnectionSource> like(DataSource application, int connections, Duration timeout)
			throws SQLException {
		if (!isHikari(application)) {
			return Optional.empty();
		}
		HikariDataSource like = application.unwrap(HikariDataSource.class);
		LikeApplication config = new LikeApplication(like);
		like.copyStateTo(config);
		config.setPoolName(NAME);
		config.setMaximumPoolSize(connections);
		config.setMinimumIdle(0);
		config.setIdleTimeout(IDLE.toMillis());
		// For a driver that connects; who waits for a connection has a shorter time.
		config.setConnectionTimeout(timeout.plus(CONNECT).toMillis());
		config.setValidationTimeout(Math.max(LEAST_TIMEOUT.toMillis(),
				Math.min(like.getValidationTimeout(), timeout.dividedBy(4).toMillis())));
		if (config.getConnectionTestQuery() == null) {
			config.setConnectionTestQuery(TEST);
		}
		named(config);
		config.setInitializationFailTimeout(-1);
		config.setAutoCommit(true);
		config.setReadOnly(false);
		config.setLeakDetectionThreshold(0);
		config.setRegisterMbeans(false);
		withoutMetrics(config);
		OwnLogins.use(config, timeout.plus(CONNECT));
		config.validate();
		return Optional.of(new OwnPool(application, config, timeout));
	}

	/** Pools of others may refuse the question, as Oracle UCP does for a class. */
	private static boolean isHikari(DataSource application) {
		try {
			return application.isWrapperFor(HikariDataSource.class);
		}
		catch (SQLException | AbstractMethodError ex) {
			return false;
		}
	}

	/** Shows in the server's list of connections which ones are of locks. */
	private static void named(HikariConfig config) {
		String url = config.getJdbcUrl();
		if (url != null && url.startsWith("jdbc:postgresql:")) {
			String first = config.getConnectionInitSql();
			config.setConnectionInitSql(((first != null) ? first + "; " : "") + NAMED);
		}
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
	int besides() {
		int most = this.config.application.getMaximumPoolSize();
		return (most > 0) ? most : USUAL_SIZE;
	}

	@Override
	Optional<String> url() {
		return Optional.ofNullable(this.config.getJdbcUrl());
	}

	/**
	 * Waits while the server may still give a connection. A refusal that lasts, such as
	 * that of a password, ends the wait.
	 */
	@Override
	Connection connect(Duration limit) throws SQLException {
		measure();
		long end = System.nanoTime() + limit.toNanos();
		while (true) {
			long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
			try {
				Connection connection = this.own.getConnection(Math.max(1, Math.min(left, GLANCE.toMillis())));
				this.refusal = null;
				return connection;
			}
			catch (SQLTransientConnectionException ex) {
				SQLException told = withReason(ex);
				if (left <= GLANCE.toMillis() || SqlFailure.of(told) != SqlFailure.UNAVAILABLE) {
					throw told;
				}
			}
		}
	}

	private SQLException withReason(SQLException failure) {
		if (failure.getCause() instanceof SQLException known) {
			this.refusal = known;
			return failure;
		}
		SQLException before = this.refusal;
		return (before != null)
				? new SQLTransientConnectionException(failure.getMessage(), before.getSQLState(), before) : failure;
	}

	/** Spring Boot adds meters to the application's pool when the store has begun. */
	private void measure() {
		MetricsTrackerFactory meters = this.config.application.getMetricsTrackerFactory();
		if (meters != null && this.metered.compareAndSet(false, true)) {
			this.own.setMetricsTrackerFactory(meters);
		}
	}

	/**
	 * Limits a connection only once, because no other code uses it. Behind a pooler of
	 * PostgreSQL other code does.
	 */
	@Override
	void prepare(Session session, Dialect dialect) throws SQLException {
		Connection pooled = session.connection().unwrap(Connection.class);
		if (dialect == Dialect.POSTGRESQL && !leadsToServer(session, pooled)) {
			return;
		}
		if (!this.limited.contains(pooled)) {
			session.limitForGood(dialect.limitForGood(this.timeout));
			this.limited.add(pooled);
		}
		session.limited();
	}

	private boolean leadsToServer(Session session, Connection pooled) throws SQLException {
		return this.abandoned.isPresent() && this.abandoned.get().use(session, pooled);
	}

	@Override
	void renew() {
		this.renewals.incrementAndGet();
		this.own.softEvictConnections();
	}

	@Override
	int renewals() {
		return this.renewals.get();
	}

	@Override
	public void close() {
		try {
			this.own.shutdown();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Asks the application's pool for the user and the password of each new connection. A
	 * subclass may make them, and they may change. HikariCP before version 6 asks for
	 * them one by one, later versions for both.
	 */
	private static final class LikeApplication extends HikariConfig {

		private final HikariDataSource application;

		private LikeApplication(HikariDataSource application) {
			this.application = application;
		}

		@Override
		public String getUsername() {
			return this.application.getUsername();
		}

		@Override
		public String getPassword() {
			return this.application.getPassword();
		}

		@Override
		public Credentials getCredentials() {
			return this.application.getCredentials();
		}

	}

}
