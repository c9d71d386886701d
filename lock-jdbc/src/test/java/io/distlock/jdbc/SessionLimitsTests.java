package io.distlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.databases.NeedsServer;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.operations.LockOperations;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * PostgreSQL itself ends each statement of locks. A session of the store alone is limited
 * once, so that a change is one statement. Where others use the session too, each
 * statement limits itself.
 */
class SessionLimitsTests {

	private static final Duration TIMEOUT = TestDatabase.SETTINGS.commandTimeout();

	private static final String LIMITS = "set_config('statement_timeout', '7500', true)";

	private final Queue<String> prepared = new ConcurrentLinkedQueue<>();

	@Test
	void sessionOfTheStoreIsLimitedOnce() throws SQLException {
		try (HikariDataSource pool = pool(TestDatabase.postgresUrl())) {
			assertThat(settings(pool)).containsExactly("20ms", "7500ms");
			assertThat(changes(pool)).isNotEmpty().noneMatch((change) -> change.contains("set_config"));
		}
	}

	/** Those that read may wait longer. */
	@Test
	void statementsThatReadLimitThemselves() throws SQLException {
		try (HikariDataSource pool = pool(TestDatabase.postgresUrl());
				CloseableLockTemplate template = template(pool)) {
			template.acquire("read").close();
			LockOperations.of(template).list("read", 10);
			assertThat(this.prepared).filteredOn((text) -> text.contains("ORDER BY lock_key"))
				.isNotEmpty()
				.allMatch((text) -> text.contains(LIMITS));
		}
	}

	@Test
	void sessionOfTheApplicationIsNotChanged() throws SQLException {
		try (HikariDataSource pool = pool(TestDatabase.postgresUrl())) {
			DataSource foreign = TestDatabase.hidden(pool);
			assertThat(settings(foreign)).containsExactly("0", "0");
			assertThat(changes(foreign)).isNotEmpty().allMatch((change) -> change.contains(LIMITS));
		}
	}

	/** The settings of a session there would be those of others. */
	@Nested
	@NeedsServer(commands = "pgbouncer", debianPackages = "pgbouncer")
	class BehindAPooler {

		@Test
		void sessionIsNotChanged() throws SQLException {
			try (HikariDataSource pool = pool(((HikariDataSource) TestDatabase.pgBouncer()).getJdbcUrl())) {
				assertThat(settings(pool)).containsExactly("0", "0");
				assertThat(changes(pool)).isNotEmpty().allMatch((change) -> change.contains(LIMITS));
			}
		}

	}

	private static List<String> settings(DataSource database) throws SQLException {
		try (ConnectionSource source = ConnectionSource.like(database, TestDatabase.SETTINGS, TIMEOUT);
				Session session = Session.of(source.connect(TIMEOUT), TIMEOUT)) {
			source.prepare(session, Dialect.POSTGRESQL);
			return List.of(show(session.connection(), "lock_timeout"), show(session.connection(), "statement_timeout"));
		}
	}

	private static String show(Connection connection, String setting) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SHOW " + setting)) {
			row.next();
			return row.getString(1);
		}
	}

	/** Returns the statements with which a lock was taken and released. */
	private List<String> changes(DataSource database) {
		LockSchema.create(database, "distributed_lock");
		this.prepared.clear();
		try (CloseableLockTemplate template = template(database)) {
			template.acquire("limits").close();
		}
		return this.prepared.stream().filter((text) -> text.contains("UPDATE")).toList();
	}

	private static CloseableLockTemplate template(DataSource database) {
		return LockTemplateBuilder.forStore(new JdbcLockStore(database, TestDatabase.SETTINGS))
			.settings(LockSettings.builder().commandTimeout(TIMEOUT).build())
			.build();
	}

	/** A pool of connections that show which statements were prepared. */
	private HikariDataSource pool(String url) {
		PGSimpleDataSource database = new PGSimpleDataSource();
		database.setUrl(url);
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(proxy(DataSource.class, database));
		pool.setMinimumIdle(0);
		return pool;
	}

	private <T> T proxy(Class<T> type, T target) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (self, method, arguments) -> {
				if (method.getName().equals("prepareStatement")) {
					this.prepared.add((String) arguments[0]);
				}
				try {
					Object result = method.invoke(target, arguments);
					return (result instanceof Connection connection && method.getName().equals("getConnection"))
							? proxy(Connection.class, connection) : result;
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

}
