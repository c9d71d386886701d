package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a waiter costs a database that cannot notify it. The pace over minutes is tested
 * on virtual time.
 */
@Tag("ci")
class QuietWaitersTests {

	private static final Duration WAIT = Duration.ofSeconds(8);

	/**
	 * Twenty looks while the wait becomes e times as long, which it does five times, and
	 * a write in each other second to keep the place in line.
	 */
	private static final long MOST = 200;

	private final JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");

	@Test
	void whoWaitsCostsFewStatements() throws Exception {
		LockSchema.create(this.database, "distributed_lock");
		TestDatabase.execute(this.database, "SET QUERY_STATISTICS TRUE");
		try (CloseableLockTemplate holder = template();
				CloseableLockTemplate waiter = template();
				LockHandle held = holder.acquire("leader")) {
			long before = statements();
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> waiter.acquire(LockRequest.of("leader").waitAtMost(WAIT)));
			assertThat(held.isHeld()).isTrue();
			assertThat(statements() - before).isLessThan(MOST);
		}
		finally {
			this.database.dispose();
		}
	}

	private CloseableLockTemplate template() {
		return LockTemplateBuilder.forStore(new JdbcLockStore(this.database, TestDatabase.SETTINGS))
			.settings(LockSettings.builder().commandTimeout(TestDatabase.SETTINGS.commandTimeout()).build())
			.build();
	}

	/** Counts the statements of the locks, and not those of the pool. */
	private long statements() throws SQLException {
		try (Connection connection = this.database.getConnection();
				Statement statement = connection.createStatement();
				ResultSet sum = statement
					.executeQuery("SELECT SUM(EXECUTION_COUNT) FROM INFORMATION_SCHEMA.QUERY_STATISTICS "
							+ "WHERE SQL_STATEMENT LIKE '%distributed\\_lock%'")) {
			sum.next();
			return sum.getLong(1);
		}
	}

}
