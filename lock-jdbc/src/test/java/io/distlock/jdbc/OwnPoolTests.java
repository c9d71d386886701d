package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.util.Credentials;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.NeedsMySql;
import io.distlock.databases.PostgresServer;
import io.distlock.engine.LockTemplateBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The pool of locks knows what the application's pool knows, at each moment. */
class OwnPoolTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static PostgresServer server;

	private static volatile String password = "";

	@BeforeAll
	static void start() {
		server = PostgresServer.start();
		ReasonsTests.execute(server.url(), "CREATE ROLE app LOGIN", "GRANT ALL ON SCHEMA public TO app");
		ReasonsTests.askForPasswords(server, "app");
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	/** How an application gives a pool the password of the moment. */
	private enum Way {

		/** It is set anew, for instance by JMX. */
		SET {

			@Override
			HikariDataSource pool() {
				return new HikariDataSource();
			}

		},

		/** A subclass has it, as for versions of HikariCP before 6. */
		GETTERS {

			@Override
			HikariDataSource pool() {
				return new HikariDataSource() {

					@Override
					public String getPassword() {
						return password;
					}

					@Override
					public Credentials getCredentials() {
						return Credentials.of(getUsername(), getPassword());
					}

				};
			}

		},

		/** A subclass has both. */
		CREDENTIALS {

			@Override
			HikariDataSource pool() {
				return new HikariDataSource() {

					@Override
					public Credentials getCredentials() {
						return Credentials.of("app", password);
					}

				};
			}

		},

		/** An object beside the pool has both. */
		PROVIDER {

			@Override
			HikariDataSource pool() {
				HikariDataSource pool = new HikariDataSource();
				pool.setCredentialsProvider(() -> Credentials.of("app", password));
				return pool;
			}

		},

		/** A data source in the pool has it. */
		DATA_SOURCE {

			@Override
			HikariDataSource pool() {
				HikariDataSource pool = new HikariDataSource();
				pool.setDataSource(new PGSimpleDataSource() {

					private static final long serialVersionUID = 1L;

					@Override
					public Connection getConnection() throws SQLException {
						return getConnection("app", password);
					}

				});
				return pool;
			}

		};

		abstract HikariDataSource pool();

	}

	@ParameterizedTest
	@EnumSource
	void passwordOfTheMomentIsUsed(Way way) throws SQLException {
		change("first");
		try (HikariDataSource pool = way.pool()) {
			String url = server.url().replaceFirst("\\?.*", "");
			if (pool.getDataSource() instanceof PGSimpleDataSource source) {
				source.setUrl(url);
			}
			else {
				pool.setJdbcUrl(url);
				pool.setUsername("app");
			}
			set(way, pool);
			pool.setMinimumIdle(0);
			LockSchema.create(pool, "distributed_lock");
			try (CloseableLockTemplate template = template(pool)) {
				template.acquire("one").close();
				change("second");
				set(way, pool);
				ReasonsTests.execute(server.url(),
						"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'");
				Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
					template.acquire(LockRequest.of("two").waitAtMost(Duration.ZERO)).close();
					return true;
				});
			}
		}
	}

	private static void change(String next) {
		password = next;
		ReasonsTests.execute(server.url(), "ALTER ROLE app PASSWORD '" + next + "'");
	}

	private static void set(Way way, HikariDataSource pool) {
		if (way == Way.SET) {
			pool.getHikariConfigMXBean().setPassword(password);
		}
	}

	/** Spring Boot gives the application's pool its meters late. */
	@Test
	void poolOfLocksHasItsNameAndTheMetersOfTheApplication() throws SQLException {
		try (HikariDataSource pool = AbstractLockedTableTests.pool(server.url())) {
			LockSchema.create(pool, "distributed_lock");
			Queue<String> pools = new ConcurrentLinkedQueue<>();
			try (CloseableLockTemplate template = template(pool)) {
				template.acquire("before").close();
				pool.setMetricsTrackerFactory((name, stats) -> {
					pools.add(name);
					return new IMetricsTracker() {
					};
				});
				template.acquire("after").close();
				template.acquire("again").close();
				assertThat(pools.stream().filter("distributed-lock"::equals)).hasSize(1);
				DataSource admin = AbstractLockedTableTests.foreign(pool);
				assertThat(TestDatabase.query(admin,
						"SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'distributed-lock'"))
					.isEqualTo("t");
			}
		}
	}

	/** The list of connections of MySQL and MariaDB shows it by what the driver says. */
	private static void connectionsAreNamed(String url) throws SQLException {
		try (HikariDataSource pool = AbstractLockedTableTests.pool(url);
				ConnectionSource own = ConnectionSource.like(pool, TestDatabase.SETTINGS, PATIENCE)) {
			assertThat(program(own)).isEqualTo("distributed-lock");
		}
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(url);
			pool.addDataSourceProperty("connectionAttributes", "program_name:shop");
			try (ConnectionSource own = ConnectionSource.like(pool, TestDatabase.SETTINGS, PATIENCE)) {
				assertThat(program(own)).as("what the application has set").isEqualTo("shop");
			}
		}
	}

	private static String program(ConnectionSource own) throws SQLException {
		try (Connection connection = own.connect(PATIENCE);
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SELECT attr_value FROM performance_schema.session_connect_attrs"
						+ " WHERE attr_name = 'program_name' AND processlist_id = CONNECTION_ID()")) {
			return row.next() ? row.getString(1) : "";
		}
	}

	@Nested
	@NeedsMariaDb
	class OfMariaDb {

		@ParameterizedTest
		@ValueSource(strings = { "mariadb", "mysql" })
		void poolOfLocksHasItsName(String driver) throws SQLException {
			try (MariaDbServer named = MariaDbServer.start("--performance-schema=ON")) {
				connectionsAreNamed(named.url(driver));
			}
		}

	}

	@Nested
	@NeedsMySql
	class OfMySql {

		@Test
		void poolOfLocksHasItsName() throws SQLException {
			try (MySqlServer named = MySqlServer.start("--performance-schema=1")) {
				connectionsAreNamed(named.url());
			}
		}

	}

	/** What the application configured for its connections goes on. */
	@Test
	void statementForEachConnectionIsExecutedToo() throws SQLException {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(server.url());
			pool.setConnectionInitSql("SET TIME ZONE 'Asia/Kathmandu'");
			try (ConnectionSource own = ConnectionSource.like(pool, TestDatabase.SETTINGS, PATIENCE);
					Session session = Session.of(own.connect(PATIENCE), PATIENCE);
					var statement = session.connection().createStatement();
					var result = statement.executeQuery("SELECT current_setting('TimeZone')")) {
				result.next();
				assertThat(List.of(result.getString(1))).containsExactly("Asia/Kathmandu");
			}
			assertThat(pool.getConnectionInitSql()).isEqualTo("SET TIME ZONE 'Asia/Kathmandu'");
		}
	}

	private static CloseableLockTemplate template(HikariDataSource pool) {
		return LockTemplateBuilder.forStore(new JdbcLockStore(pool, TestDatabase.SETTINGS))
			.settings(LockSettings.builder().commandTimeout(TestDatabase.SETTINGS.commandTimeout()).build())
			.build();
	}

}
