package io.distlock.autoconfigure.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.logging.Logger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.databases.PostgresServer;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each way in which an application with Spring Boot may have a data source: either locks
 * work, or the application does not start and says why. In no case the check passes and
 * no lock is granted.
 */
@Tag("ci")
class DataSourceMatrixTests {

	private static final String PASSWORD = "right";

	private static final String[] NONE = {};

	private static PostgresServer server;

	@BeforeAll
	static void start() {
		server = PostgresServer.start();
		execute("CREATE ROLE app LOGIN PASSWORD '" + PASSWORD + "'", "GRANT ALL ON SCHEMA public TO app",
				"CREATE ROLE few LOGIN CONNECTION LIMIT 2", "GRANT ALL ON SCHEMA public TO few", """
						DO $$ BEGIN EXECUTE format('COPY (VALUES (%L), (%L)) TO %L',
						'host all app 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 trust',
						current_setting('hba_file')); END $$""", "SELECT pg_reload_conf()");
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	private static void execute(String... statements) {
		try (Connection connection = DriverManager.getConnection(server.url());
				Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A way to have a data source.
	 *
	 * @param name what the application does
	 * @param properties what it configures
	 * @param bean its own data source, if it has one
	 * @param refusal parts of what it reads if it does not start; empty if locks work
	 */
	private record Way(String name, String[] properties, Supplier<DataSource> bean, List<String> refusal) {

		@Override
		public String toString() {
			return this.name + (this.refusal.isEmpty() ? ": works" : ": refused");
		}

	}

	static List<Way> ways() {
		List<Way> ways = new ArrayList<>();
		works(ways, "a URL", url("spring.datasource.username=app", "spring.datasource.password=" + PASSWORD));
		works(ways, "a pool of one connection",
				app("spring.datasource.hikari.maximum-pool-size=1", "spring.datasource.hikari.connection-timeout=250"));
		works(ways, "a pool without autocommit", app("spring.datasource.hikari.auto-commit=false"));
		works(ways, "a read-only pool", app("spring.datasource.hikari.read-only=true"));
		works(ways, "connections that are fetched late", app("spring.datasource.connection-fetch=lazy"));
		works(ways, "an isolation level",
				app("spring.datasource.hikari.transaction-isolation=TRANSACTION_SERIALIZABLE"));
		works(ways, "a statement for each connection",
				app("spring.datasource.hikari.connection-init-sql=SET TIME ZONE 'UTC'"));
		works(ways, "driver properties", app("spring.datasource.hikari.data-source-properties.preferQueryMode=simple"));
		works(ways, "a pool of Tomcat", app("spring.datasource.type=org.apache.tomcat.jdbc.pool.DataSource"));
		works(ways, "a pool of DBCP", app("spring.datasource.type=org.apache.commons.dbcp2.BasicDataSource"));
		works(ways, "a pool of DBCP without autocommit",
				app("spring.datasource.type=org.apache.commons.dbcp2.BasicDataSource",
						"spring.datasource.dbcp2.default-auto-commit=false"));
		works(ways, "no pool",
				app("spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource"));
		works(ways, "a pool that makes its passwords", TokenPool::new);
		works(ways, "a driver's data source that makes its passwords, in a pool", () -> {
			HikariDataSource pool = new HikariDataSource();
			pool.setDataSource(new Tokens());
			return pool;
		});
		works(ways, "a data source that makes its passwords", Tokens::new);
		works(ways, "a proxy with transactions", () -> new TransactionAwareDataSourceProxy(new TokenPool()));
		works(ways, "a proxy with a replica for reading", () -> {
			LazyConnectionDataSourceProxy proxy = new LazyConnectionDataSourceProxy(new TokenPool());
			proxy.setReadOnlyDataSource(new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/replica"));
			return proxy;
		});
		works(ways, "a proxy that hides its pool", () -> new Hiding(new TokenPool()));
		works(ways, "an embedded database",
				() -> new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2)
					.setName("m" + UUID.randomUUID())
					.build());
		works(ways, "a database in memory", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());
		refused(ways, "a wrong password",
				List.of("The database refused the user of table distributed_lock or its password",
						"password authentication failed"),
				url("spring.datasource.username=app", "spring.datasource.password=wrong"));
		refused(ways, "no password", List.of("or its password", "no password was provided"),
				url("spring.datasource.username=app"));
		refused(ways, "a database that is not there", List.of("database \"nowhere\" does not exist"),
				"spring.datasource.url=" + server.url().replace("/postgres?", "/nowhere?"));
		refused(ways, "a pool with all connections of its user", List.of("has no connection left for the locks", "few"),
				url("spring.datasource.username=few", "spring.datasource.hikari.maximum-pool-size=2"));
		refused(ways, "a pool whose connections only read", List.of("takes no writes", "address of the primary"),
				app("spring.datasource.type=org.apache.commons.dbcp2.BasicDataSource",
						"spring.datasource.dbcp2.connection-properties=options=-c default_transaction_read_only=on"));
		refused(ways, "a data source that routes", () -> {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected Object determineCurrentLookupKey() {
					return "primary";
				}

			};
			routing.setTargetDataSources(Map.of("primary", new TokenPool()));
			return routing;
		}, List.of("chooses a database at each call", "@LockDataSource"));
		return ways;
	}

	private static void works(List<Way> ways, String name, String... properties) {
		ways.add(new Way(name, properties, () -> null, List.of()));
	}

	private static void works(List<Way> ways, String name, Supplier<DataSource> bean) {
		ways.add(new Way(name, NONE, bean, List.of()));
	}

	private static void refused(List<Way> ways, String name, List<String> refusal, String... properties) {
		ways.add(new Way(name, properties, () -> null, refusal));
	}

	private static void refused(List<Way> ways, String name, Supplier<DataSource> bean, List<String> refusal) {
		ways.add(new Way(name, NONE, bean, refusal));
	}

	private static String[] app(String... more) {
		List<String> all = new ArrayList<>(List.of(more));
		all.add("spring.datasource.username=app");
		all.add("spring.datasource.password=" + PASSWORD);
		return url(all.toArray(String[]::new));
	}

	private static String[] url(String... more) {
		List<String> all = new ArrayList<>(List.of(more));
		all.add("spring.datasource.url=" + withoutUser());
		return all.toArray(String[]::new);
	}

	private static String withoutUser() {
		return server.url().replaceFirst("\\?.*", "");
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("ways")
	void locksWorkOrTheApplicationSaysWhyNot(Way way) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withPropertyValues("distributed-lock.store=jdbc", "distributed-lock.jdbc.initialize-schema=never",
					"distributed-lock.command-timeout=9s")
			.withPropertyValues(way.properties());
		DataSource own = way.bean().get();
		ApplicationContextRunner complete = (own != null) ? runner.withBean("own", DataSource.class, () -> own)
				: runner.withConfiguration(LockApplications.database());
		if (way.refusal().isEmpty() || own != null) {
			complete = complete.withPropertyValues("distributed-lock.jdbc.initialize-schema=always");
		}
		Connection[] taken = new Connection[2];
		complete.withInitializer((context) -> fill(way, taken)).run((context) -> {
			empty(taken);
			if (way.refusal().isEmpty()) {
				assertThat(context).hasNotFailed();
				LockTemplate template = context.getBean(LockTemplate.class);
				try (LockHandle lock = template.acquire(LockRequest.of("matrix:" + way.name()))) {
					assertThat(lock.isHeld()).isTrue();
				}
			}
			else {
				assertThat(context).hasFailed();
				assertThat(messages(context.getStartupFailure())).contains(way.refusal());
			}
		});
	}

	private static String messages(Throwable failure) {
		StringBuilder all = new StringBuilder();
		for (Throwable each = failure; each != null; each = each.getCause()) {
			all.append(each.getMessage()).append('\n');
		}
		return all.toString();
	}

	/** As the application's pool does when it begins. */
	private static void fill(Way way, Connection[] taken) {
		if (way.refusal().contains("few")) {
			try {
				for (int i = 0; i < taken.length; i++) {
					taken[i] = DriverManager.getConnection(withoutUser() + "?user=few");
				}
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	private static void empty(Connection[] taken) throws SQLException {
		for (Connection each : taken) {
			if (each != null) {
				each.close();
			}
		}
	}

	/** As for tokens of a cloud. */
	private static final class TokenPool extends HikariDataSource {

		private TokenPool() {
			setJdbcUrl(withoutUser());
			setUsername("app");
			setMinimumIdle(0);
		}

		@Override
		public String getPassword() {
			return PASSWORD;
		}

		@Override
		public Credentials getCredentials() {
			return Credentials.of("app", PASSWORD);
		}

	}

	/** As for tokens of a cloud, without a pool. */
	private static final class Tokens implements DataSource {

		@Override
		public Connection getConnection() throws SQLException {
			return DriverManager.getConnection(withoutUser(), "app", PASSWORD);
		}

		@Override
		public Connection getConnection(String user, String password) throws SQLException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public PrintWriter getLogWriter() throws SQLException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public void setLogWriter(PrintWriter out) throws SQLException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public void setLoginTimeout(int seconds) {
		}

		@Override
		public int getLoginTimeout() {
			return 0;
		}

		@Override
		public Logger getParentLogger() throws SQLFeatureNotSupportedException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public <T> T unwrap(Class<T> type) throws SQLException {
			throw new SQLException("not a wrapper");
		}

		@Override
		public boolean isWrapperFor(Class<?> type) {
			return false;
		}

	}

	/** As many monitoring agents do. */
	private static final class Hiding extends BasicDataSource {

		private final DataSource pool;

		private Hiding(DataSource pool) {
			this.pool = pool;
		}

		@Override
		public Connection getConnection() throws SQLException {
			return this.pool.getConnection();
		}

	}

}
