package io.distlock.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.distlock.autoconfigure.LockConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whether a table is created at startup, as Spring Boot decides it for scripts. */
class LockSchemaInitializerTests {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	private static boolean initialize(DataSource dataSource, DatabaseInitializationMode mode) {
		return initialize(dataSource, mode, LockSchemaInitializer.LIMIT);
	}

	private static boolean initialize(DataSource dataSource, DatabaseInitializationMode mode, Duration limit) {
		return new LockSchemaInitializer(dataSource, "distributed_lock", mode, "a.property", limit)
			.initializeDatabase();
	}

	private static int rows(DataSource dataSource) {
		Integer rows = new JdbcTemplate(dataSource).queryForObject("SELECT count(*) FROM distributed_lock",
				Integer.class);
		return (rows != null) ? rows : -1;
	}

	@Test
	void initializeWhenThePoolIsInMemoryThenCreatedOnce() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(this.url);
			assertThat(initialize(pool, DatabaseInitializationMode.EMBEDDED)).isTrue();
			assertThat(initialize(pool, DatabaseInitializationMode.EMBEDDED)).isTrue();
			assertThat(rows(pool)).isZero();
		}
	}

	@Test
	void initializeWhenTheDatabaseIsWrappedThenCreated() {
		JdbcDataSource database = new JdbcDataSource();
		database.setURL(this.url);
		assertThat(initialize(new DelegatingDataSource(database), DatabaseInitializationMode.EMBEDDED)).isTrue();
		assertThat(rows(database)).isZero();
	}

	@Test
	void initializeWhenTheModeIsNeverThenNotAsked() {
		assertThat(initialize(new DelegatingDataSource() {

			@Override
			public Connection getConnection() {
				throw new AssertionError("asked");
			}

		}, DatabaseInitializationMode.NEVER)).isFalse();
	}

	@Test
	void initializeWhenAServerIsAwayThenRefusedOnlyIfItIsToHaveATable() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/shop");
			// Or else there is no pool either after a connection has failed.
			pool.setInitializationFailTimeout(-1);
			pool.setConnectionTimeout(250);
			assertThat(initialize(pool, DatabaseInitializationMode.EMBEDDED)).isFalse();
			assertThatExceptionOfType(LockConfigurationException.class)
				.isThrownBy(() -> initialize(pool, DatabaseInitializationMode.ALWAYS))
				.withMessageStartingWith("The table of locks could not be checked at startup: ")
				.withMessageEndingWith("set a.property=never: the application then starts without the database.");
		}
	}

	/** Without a pool and without a timeout of the driver. */
	@Test
	@Timeout(30)
	void initializeWhenAServerHangsThenRefusedOnlyIfItIsToHaveATable() {
		DataSource hanging = new DelegatingDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					throw new SQLException(ex);
				}
				throw new IllegalStateException();
			}

		};
		Duration limit = Duration.ofMillis(100);
		assertThat(initialize(hanging, DatabaseInitializationMode.EMBEDDED, limit)).isFalse();
		assertThatExceptionOfType(LockConfigurationException.class)
			.isThrownBy(() -> initialize(hanging, DatabaseInitializationMode.ALWAYS, limit))
			.withMessageStartingWith("The table of locks could not be checked at startup: The database did not answer "
					+ "within 100 ms.");
	}

}
