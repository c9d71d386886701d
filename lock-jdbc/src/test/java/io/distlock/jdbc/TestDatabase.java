package io.distlock.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.PgBouncer;
import io.distlock.databases.PostgresServer;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGSimpleDataSource;

/** Databases that tests start themselves; each ends with this process. */
final class TestDatabase {

	/** With time for a machine that runs many tests at once. */
	static final JdbcLockStoreSettings SETTINGS = settings().build();

	private static final Map<String, DataSource> POOLS = new ConcurrentHashMap<>();

	private TestDatabase() {
	}

	/** A builder of {@link #SETTINGS} that a test goes on with. */
	static JdbcLockStoreSettings.Builder settings() {
		return JdbcLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(2));
	}

	/** PostgreSQL without a pool. */
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
			PGSimpleDataSource source = new PGSimpleDataSource();
			source.setUrl(SERVER.url());
			LockSchema.create(source, "distributed_lock");
			return source;
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
			DataSource source = JdbcConnectionPool.create("jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1", "sa", "");
			LockSchema.create(source, "distributed_lock");
			return source;
		}

	}

}
