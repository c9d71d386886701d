package io.distlock.autoconfigure.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import io.distlock.autoconfigure.LockProperties.SchemaInitialization;

import static org.assertj.core.api.Assertions.assertThat;

/** Whether a table is created at startup, and what is asked for that. */
class LockTableInitializerTests {

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

}
