package io.distlock.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.StoreCheckResult;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a caller learns of a database that is slow, away, or locked by others. */
@Execution(ExecutionMode.CONCURRENT)
class FailureTextsTests {

	/** Less than the first connection takes, and enough for a statement. */
	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final String key = "told:" + UUID.randomUUID();

	@Test
	void firstConnectionMayTakeLongerThanAStatement() {
		AtomicInteger connections = new AtomicInteger();
		DataSource slow = source(() -> {
			if (connections.incrementAndGet() == 1) {
				Pause.of(TIMEOUT.plusMillis(100));
			}
		});
		try (CloseableLockTemplate template = template(slow, TIMEOUT);
				LockHandle lock = template.acquire(LockRequest.of(this.key).waitAtMost(Duration.ZERO))) {
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void checkOfTheDatabaseHasATimeOfItsOwn() {
		DataSource slow = source(() -> Pause.of(Duration.ofSeconds(1)));
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder()
			.commandTimeout(Duration.ofMillis(150))
			.table("no_such_table")
			.build();
		assertThat(new JdbcStartupCheck(slow, settings).run()).isInstanceOfSatisfying(StoreCheckResult.Refused.class,
				(found) -> assertThat(found.problems()).singleElement()
					.asString()
					.contains("no_such_table of locks is missing")
					.contains("relation \"no_such_table\" does not exist Position:")
					.contains("(database jdbc:postgresql://"));
	}

	@Test
	void callerLearnsWhyThereIsNoConnection() {
		AtomicBoolean away = new AtomicBoolean(true);
		DataSource down = source(() -> {
			if (away.get()) {
				throw new SQLException("the server is starting up", "57P03");
			}
		});
		try (CloseableLockTemplate template = template(down, Duration.ofSeconds(5))) {
			assertThatExceptionOfType(TransientStoreException.class)
				.isThrownBy(() -> template.acquire(LockRequest.of(this.key).waitAtMost(Duration.ZERO)))
				.havingRootCause()
				.withMessage("the server is starting up");
			away.set(false);
			template.acquire(this.key).close();
		}
	}

	@Test
	void callerLearnsThatARowIsLockedByAnotherTransaction() throws Exception {
		// The caller learns it after half of that time.
		try (CloseableLockTemplate template = template(TestDatabase.postgres(), Duration.ofSeconds(10))) {
			template.acquire(this.key).close();
			try (Connection other = TestDatabase.postgres().getConnection();
					Statement statement = other.createStatement()) {
				other.setAutoCommit(false);
				statement.execute("SELECT 1 FROM distributed_lock WHERE lock_key = '" + this.key + "' FOR UPDATE");
				Standstill.repeat(() -> assertThatExceptionOfType(TransientStoreException.class)
					.isThrownBy(() -> template.acquire(LockRequest.of(this.key).waitAtMost(Duration.ZERO)))
					.withMessageContaining(
							"A row of table distributed_lock, or all of it, is locked by a transaction"));
				other.rollback();
			}
			template.acquire(this.key).close();
		}
	}

	private static CloseableLockTemplate template(DataSource database, Duration timeout) {
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder()
			.commandTimeout(timeout)
			.notifications(false)
			.build();
		return LockTemplateBuilder.forStore(new JdbcLockStore(database, settings))
			.settings(LockSettings.builder().commandTimeout(timeout).build())
			.build();
	}

	/** A source of connections to PostgreSQL; something precedes each of them. */
	private static DataSource source(Before before) {
		DataSource postgres = TestDatabase.postgres();
		return (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
				new Class<?>[] { DataSource.class }, (self, method, arguments) -> {
					if (!method.getName().equals("getConnection")) {
						return method.invoke(postgres, arguments);
					}
					before.run();
					return postgres.getConnection();
				});
	}

	private interface Before {

		void run() throws SQLException;

	}

}
