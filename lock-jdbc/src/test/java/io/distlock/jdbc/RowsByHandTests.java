package io.distlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

import javax.sql.DataSource;

import io.distlock.databases.NeedsMariaDb;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an operator may do to the row of a lock that is held. */
@Tag("ci")
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
			assertThat(acquire(one, "one", 1)).isInstanceOf(AcquireResult.Granted.class);
			TestDatabase.execute(database, "UPDATE distributed_lock SET busy = 0, token = 0, holder = '', waiting = 0,"
					+ " held_until = 0 WHERE lock_key = '" + this.key + "'");
			assertThat(acquire(two, "two", 1)).isInstanceOf(AcquireResult.Busy.class);
			assertThat(Commands.join(one.finish(this.key, new RequestId("one", 1), Duration.ZERO)))
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
		Commands.join(store.inspect("other:" + UUID.randomUUID()));
		return store;
	}

	private AcquireResult acquire(JdbcLockStore store, String name, long number) {
		return Commands
			.join(store.acquire(Commands.acquire(this.key, new RequestId(name, number), Duration.ofSeconds(30))));
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
