package io.distlock.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Connections of a pool that resets nothing are given back as they were. */
class SessionTests {

	private final List<String> calls = new ArrayList<>();

	private boolean refusesAutoCommit;

	private boolean refusesTimeouts;

	@Test
	void closeThenConnectionIsAsItWas() throws SQLException {
		try (Session session = Session.of(pool().getConnection(), Duration.ofSeconds(2))) {
			assertThat(session.connection().getAutoCommit()).isFalse();
			assertThat(session.isBounded()).isTrue();
			assertThat(this.calls).containsExactly("setAutoCommit true", "setNetworkTimeout 2000");
		}
		assertThat(this.calls).endsWith("setNetworkTimeout 700", "setAutoCommit false", "close");
	}

	@Test
	void closeThenWaitsForRowsAreLimitedAsBefore() throws SQLException {
		DataSource h2 = JdbcConnectionPool.create("jdbc:h2:mem:session;DB_CLOSE_DELAY=-1", "sa", "");
		try (Connection borrowed = h2.getConnection(); Statement statement = borrowed.createStatement()) {
			statement.execute("SET LOCK_TIMEOUT 777");
		}
		try (Session session = Session.of(h2.getConnection(), Duration.ofSeconds(2))) {
			session.limitLockWait(Dialect.H2.lockWait(Duration.ofSeconds(2)).orElseThrow());
			assertThat(lockTimeout(session.connection())).isEqualTo(20);
		}
		try (Connection borrowed = h2.getConnection()) {
			assertThat(lockTimeout(borrowed)).isEqualTo(777);
		}
	}

	@Test
	void waitsForRowsAreLimitedOnceForAConnectionOfTheStore() throws SQLException {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:mem:own;DB_CLOSE_DELAY=-1");
			try (ConnectionSource own = ConnectionSource.like(pool, TestDatabase.SETTINGS, Duration.ofSeconds(30))) {
				assertThat(lockTimeoutOnce(own, "SET LOCK_TIMEOUT 777")).isEqualTo(20);
				assertThat(lockTimeoutOnce(own, "SELECT 1")).isEqualTo(777);
			}
		}
	}

	private static int lockTimeoutOnce(ConnectionSource own, String then) throws SQLException {
		try (Session session = Session.of(own.connect(Duration.ofSeconds(30)), Duration.ofSeconds(2))) {
			own.prepare(session, Dialect.H2);
			int limit = lockTimeout(session.connection());
			try (Statement statement = session.connection().createStatement()) {
				statement.execute(then);
			}
			return limit;
		}
	}

	private static int lockTimeout(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery("CALL LOCK_TIMEOUT()")) {
			result.next();
			return result.getInt(1);
		}
	}

	@Test
	void openWhenStatementsWouldJoinATransactionThenFailsAndGivesBack() {
		this.refusesAutoCommit = true;
		assertThatExceptionOfType(SQLException.class)
			.isThrownBy(() -> Session.of(pool().getConnection(), Duration.ofSeconds(2)));
		assertThat(this.calls).endsWith("close");
	}

	@Test
	void openWhenDriverKnowsNoTimeoutThenWithout() throws SQLException {
		this.refusesTimeouts = true;
		try (Session session = Session.of(pool().getConnection(), Duration.ofSeconds(2))) {
			assertThat(session.isBounded()).isFalse();
		}
		assertThat(this.calls).endsWith("setAutoCommit false", "close");
	}

	private DataSource pool() {
		Connection connection = (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Connection.class }, (self, method, args) -> answer(method.getName(), args));
		return (DataSource) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { DataSource.class },
				(self, method, args) -> connection);
	}

	private Object answer(String method, Object[] args) throws SQLException {
		switch (method) {
			case "getAutoCommit", "isClosed":
				return false;
			case "getNetworkTimeout":
				return 700;
			case "setAutoCommit":
				refuseIf(this.refusesAutoCommit);
				this.calls.add(method + " " + args[0]);
				return null;
			case "setNetworkTimeout":
				refuseIf(this.refusesTimeouts);
				this.calls.add(method + " " + args[1]);
				return null;
			default:
				this.calls.add(method);
				return null;
		}
	}

	private static void refuseIf(boolean refused) throws SQLException {
		if (refused) {
			throw new SQLException("not supported");
		}
	}

}
