package io.distlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.PgBouncer;
import io.distlock.databases.PostgresServer;
import org.h2.jdbcx.JdbcConnectionPool;

/** Databases that tests start themselves; each ends with this process. */
final class TestDatabase {

	/** With time for a machine that runs many tests at once. */
	static final JdbcLockStoreSettings SETTINGS = settings().build();

	private static final Map<String, DataSource> POOLS = new ConcurrentHashMap<>();

	private TestDatabase() {
	}

	/** A builder of {@link #SETTINGS} that a test goes on with. */
	static JdbcLockStoreSettings.Builder settings() {
		return JdbcLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10));
	}

	/** PostgreSQL with a pool that the store cannot copy. */
	static DataSource postgres() {
		return Postgres.SOURCE;
	}

	static String postgresUrl() {
		return Postgres.SERVER.url();
	}

	/**
	 * PostgreSQL with a pool.
	 * @param isolation as {@link Connection} names it
	 */
	static DataSource postgres(String isolation) {
		return pool(Postgres.SERVER.url(), isolation);
	}

	/** PostgreSQL behind PgBouncer in transaction mode. */
	static DataSource pgBouncer() {
		return pool(Bouncer.POOLER.url(), "TRANSACTION_READ_COMMITTED");
	}

	/**
	 * MariaDB.
	 * @param driver {@code mariadb} or {@code mysql}
	 * @param isolation as {@link Connection} names it
	 */
	static DataSource mariaDb(String driver, String isolation) {
		return pool(MariaDb.SERVER.url(driver), isolation);
	}

	/**
	 * MySQL 8.
	 * @param isolation as {@link Connection} names it
	 */
	static DataSource mySql(String isolation) {
		return pool(MySql.SERVER.url(), isolation);
	}

	static void execute(DataSource database, String sql) throws SQLException {
		try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** Returns the first column of the first row, empty if there is no row. */
	static String query(DataSource database, String sql) throws SQLException {
		try (Connection connection = database.getConnection();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(sql)) {
			return rows.next() ? rows.getString(1) : "";
		}
	}

	static String mariaDbUrl() {
		return MariaDb.SERVER.url("mariadb");
	}

	static String mySqlUrl() {
		return MySql.SERVER.url();
	}

	/** A pool that the store cannot copy. */
	static DataSource hidden(DataSource pool) {
		return mortal(pool, () -> false);
	}

	/** A hidden pool that gives nothing any more once its process is dead. */
	static DataSource mortal(DataSource pool, BooleanSupplier dead) {
		return (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
				new Class<?>[] { DataSource.class }, (self, method, arguments) -> {
					if (dead.getAsBoolean()) {
						throw new SQLException("This process is dead");
					}
					if (method.getName().equals("isWrapperFor")) {
						return false;
					}
					try {
						return method.invoke(pool, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	static DataSource h2() {
		return H2.SOURCE;
	}

	private static DataSource pool(String url, String isolation) {
		return POOLS.computeIfAbsent(url + isolation, (name) -> {
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(url);
			config.setTransactionIsolation(isolation);
			config.setMinimumIdle(0);
			HikariDataSource pool = new HikariDataSource(config);
			LockSchema.create(pool, "distributed_lock");
			return pool;
		});
	}

	private static final class Postgres {

		private static final PostgresServer SERVER = PostgresServer.start();

		private static final DataSource SOURCE = create();

		private static DataSource create() {
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(SERVER.url());
			config.setMaximumPoolSize(30);
			config.setMinimumIdle(0);
			HikariDataSource pool = new HikariDataSource(config);
			LockSchema.create(pool, "distributed_lock");
			return hidden(pool);
		}

	}

	private static final class Bouncer {

		private static final PgBouncer POOLER = PgBouncer.start(Postgres.SERVER.port());

	}

	private static final class MariaDb {

		private static final MariaDbServer SERVER = MariaDbServer.start();

	}

	private static final class MySql {

		private static final MySqlServer SERVER = MySqlServer.start();

	}

	private static final class H2 {

		private static final DataSource SOURCE = create();

		private static DataSource create() {
			DataSource source = JdbcConnectionPool.create("jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000",
					"sa", "");
			LockSchema.create(source, "distributed_lock");
			return source;
		}

	}

}
