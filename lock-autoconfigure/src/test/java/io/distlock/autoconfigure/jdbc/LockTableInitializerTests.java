package io.distlock.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties.SchemaInitialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whether a table is created at startup, and what is asked for that. */
class LockTableInitializerTests {

	private static final Duration SHORT = Duration.ofMillis(100);

	/** Its server may hang, and the application would not start. */
	@Test
	void initializeWhenThePoolIsOfAServerThenNotAsked() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/shop");
			// Or else there is no pool either after a connection has failed.
			pool.setInitializationFailTimeout(-1);
			pool.setConnectionTimeout(250);
			LockTableInitializer.initialize(pool, "distributed_lock", SchemaInitialization.EMBEDDED, "a.property");
			assertThat(pool.getHikariPoolMXBean()).as("the pool, once it is used").isNull();
		}
	}

	@Test
	void initializeWhenThePoolIsInMemoryThenCreated() throws Exception {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:mem:initializer");
			LockTableInitializer.initialize(pool, "distributed_lock", SchemaInitialization.EMBEDDED, "a.property");
			try (var connection = pool.getConnection();
					var statement = connection.createStatement();
					var count = statement.executeQuery("SELECT count(*) FROM distributed_lock")) {
				assertThat(count.next()).isTrue();
			}
		}
	}

	@Test
	void initializeWhenADataSourceKnowsTheAddressOfAServerThenNotAsked() {
		DataSource addressed = new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/shop") {

			@Override
			public Connection getConnection() {
				throw new AssertionError("asked");
			}

		};
		LockTableInitializer.initialize(addressed, "distributed_lock", SchemaInitialization.EMBEDDED, "a.property");
	}

	@Test
	void initializeWhenADataSourceWithoutAddressIsInMemoryThenCreated() throws Exception {
		JdbcDataSource database = new JdbcDataSource();
		database.setURL("jdbc:h2:mem:without-address;DB_CLOSE_DELAY=-1");
		DataSource wrapped = new DelegatingDataSource(database);
		LockTableInitializer.initialize(wrapped, "distributed_lock", SchemaInitialization.EMBEDDED, "a.property");
		try (Connection connection = database.getConnection();
				var statement = connection.createStatement();
				var count = statement.executeQuery("SELECT count(*) FROM distributed_lock")) {
			assertThat(count.next()).isTrue();
			statement.execute("SHUTDOWN");
		}
	}

	/** Its address is not known, and whether it is embedded only a connection says. */
	@Test
	void initializeWhenAServerHangsThenTheApplicationStartsAllTheSame() throws Exception {
		Hanging hanging = new Hanging();
		LockTableInitializer.initialize(hanging, "distributed_lock", SchemaInitialization.EMBEDDED, "a.property", SHORT,
				SHORT);
		assertThat(hanging.asked.await(20, TimeUnit.SECONDS)).as("it is asked").isTrue();
	}

	@Test
	void initializeWhenAServerHangsThatIsToHaveATableThenRefused() {
		assertThatExceptionOfType(LockConfigurationException.class)
			.isThrownBy(() -> LockTableInitializer.initialize(new Hanging(), "distributed_lock",
					SchemaInitialization.ALWAYS, "a.property", SHORT, SHORT))
			.withMessageStartingWith("The table of locks could not be checked at startup: The database did not answer "
					+ "while table distributed_lock of locks was created: it took longer than 100 ms");
	}

	/** A pool without limits, and a server that answers nothing. */
	private static final class Hanging extends DelegatingDataSource {

		private final CountDownLatch asked = new CountDownLatch(1);

		@Override
		public Connection getConnection() throws SQLException {
			this.asked.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				throw new SQLException(ex);
			}
			throw new IllegalStateException();
		}

	}

}
