package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

import javax.sql.DataSource;

import io.distlock.Holder;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an operator may do to the row of a lock that is held. */
class RowsByHandTests {

	private final String key = "by-hand:" + UUID.randomUUID();

	@Test
	void heldLockOfPostgresStaysHeldWhateverTheColumnsBesideItsRecordSay() throws SQLException {
		heldLockStaysHeldWhateverTheColumnsBesideItsRecordSay(TestDatabase.postgres());
	}

	@Test
	void heldLockOfH2StaysHeldWhateverTheColumnsBesideItsRecordSay() throws SQLException {
		heldLockStaysHeldWhateverTheColumnsBesideItsRecordSay(TestDatabase.h2());
	}

	/** No parameterized test, as JUnit would close the pool that all tests share. */
	private void heldLockStaysHeldWhateverTheColumnsBesideItsRecordSay(DataSource database) throws SQLException {
		JdbcLockStore one = start(database, "one");
		JdbcLockStore two = start(database, "two");
		try {
			assertThat(acquire(one, "one")).isInstanceOf(AcquireResult.Granted.class);
			execute(database, "UPDATE distributed_lock SET busy = 0, token = 0, holder = '', waiting = 0,"
					+ " held_until = 0 WHERE lock_key = '" + this.key + "'");
			assertThat(acquire(two, "two")).isInstanceOf(AcquireResult.Busy.class);
			assertThat(join(one.finish(this.key, new RequestId("one", 1), Duration.ZERO)))
				.isEqualTo(FinishResult.RELEASED);
			assertThat(acquire(two, "two", 2)).isInstanceOf(AcquireResult.Granted.class);
		}
		finally {
			one.stop();
			two.stop();
		}
	}

	private static JdbcLockStore start(DataSource database, String name) {
		JdbcLockStore store = new JdbcLockStore(database, TestDatabase.SETTINGS);
		store.start(name, new Nobody());
		// The clock is known, so that the next one takes without reading.
		join(store.inspect("other:" + UUID.randomUUID()));
		return store;
	}

	private AcquireResult acquire(JdbcLockStore store, String name) {
		return acquire(store, name, 1);
	}

	private AcquireResult acquire(JdbcLockStore store, String name, long number) {
		return join(store.acquire(
				new AcquireCommand(this.key, new RequestId(name, number), Duration.ofSeconds(30), Sharing.EXCLUSIVE,
						false, 1, Duration.ofSeconds(2), new Holder("shop", "host", name, "", "", Instant.EPOCH))));
	}

	private static void execute(DataSource database, String sql) throws SQLException {
		try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

	@Nested
	@NeedsMariaDb
	class MariaDb {

		@Test
		void heldLockStaysHeld() throws SQLException {
			heldLockStaysHeldWhateverTheColumnsBesideItsRecordSay(
					TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"));
		}

	}

}
