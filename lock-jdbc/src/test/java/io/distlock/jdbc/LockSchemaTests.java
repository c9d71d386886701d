package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.distlock.spi.TransientStoreException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Processes that start together, and a database that is in no state to answer. */
class LockSchemaTests {

	private final String table = "t" + UUID.randomUUID().toString().replace("-", "");

	@Test
	void tableThatAnotherProcessCreatesIsFound() throws SQLException {
		try (Connection connection = creating()) {
			CompletableFuture<Void> created = CompletableFuture
				.runAsync(() -> LockSchema.create(TestDatabase.postgres(), this.table, Duration.ofSeconds(20)));
			Awaitility.await().until(this::isWaiting);
			connection.commit();
			created.join();
		}
	}

	@Test
	void databaseThatDoesNotAnswerIsNotWaitedForWithoutEnd() throws SQLException {
		try (Connection connection = creating()) {
			assertThatExceptionOfType(TransientStoreException.class)
				.isThrownBy(() -> LockSchema.create(TestDatabase.postgres(), this.table, Duration.ofMillis(300)))
				.withMessageContaining("did not answer while table " + this.table);
			connection.rollback();
		}
	}

	private Connection creating() throws SQLException {
		Connection connection = TestDatabase.postgres().getConnection();
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement()) {
			for (String definition : LockSchema.statements(Dialect.POSTGRESQL, this.table)) {
				statement.execute(definition);
			}
		}
		return connection;
	}

	private boolean isWaiting() throws SQLException {
		return !TestDatabase
			.query(TestDatabase.postgres(),
					"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'" + " AND query LIKE '%"
							+ this.table + "%' AND pid <> pg_backend_pid()")
			.equals("0");
	}

}
