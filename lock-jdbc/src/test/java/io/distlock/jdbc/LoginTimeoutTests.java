package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.distlock.databases.PostgresServer;
import io.distlock.databases.Wire;
import io.distlock.test.Standstill;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** How long a login of the application may take is not for the pool of locks to say. */
@Isolated // one value for the whole JVM
class LoginTimeoutTests {

	private static final int SECONDS = 77;

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final int before = DriverManager.getLoginTimeout();

	@AfterEach
	void restore() {
		DriverManager.setLoginTimeout(this.before);
	}

	@Test
	void thatOfTheJvmStays() throws SQLException {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(TestDatabase.postgresUrl());
			DriverManager.setLoginTimeout(SECONDS);
			try (ConnectionSource own = ConnectionSource.like(pool, TestDatabase.SETTINGS, TIMEOUT);
					Connection connection = own.connect(Duration.ofSeconds(30))) {
				assertThat(connection.isClosed()).isFalse();
				assertThat(DriverManager.getLoginTimeout()).isEqualTo(SECONDS);
			}
		}
	}

	@Test
	void thatOfADataSourceOfTheApplicationStays() throws SQLException {
		PGSimpleDataSource database = new PGSimpleDataSource();
		database.setUrl(TestDatabase.postgresUrl());
		database.setLoginTimeout(SECONDS);
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(database);
			try (ConnectionSource own = ConnectionSource.like(pool, TestDatabase.SETTINGS, TIMEOUT);
					Connection connection = own.connect(Duration.ofSeconds(30))) {
				assertThat(connection.isClosed()).isFalse();
				assertThat(database.getLoginTimeout()).isEqualTo(SECONDS);
			}
		}
	}

	/** Or the pool would go on with a login that nobody waits for any more. */
	@Test
	void aLoginOfThePoolOfLocksEnds() throws Exception {
		try (PostgresServer server = PostgresServer.start(); Wire wire = new Wire(server.port())) {
			wire.cut();
			DriverManager.setLoginTimeout(SECONDS);
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(PostgresServer.url(wire.port()));
			OwnLogins.use(config, TIMEOUT);
			assertThat(Standstill.timed(() -> assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> config.getDataSource().getConnection()))).isLessThan(Duration.ofSeconds(SECONDS));
		}
	}

}
