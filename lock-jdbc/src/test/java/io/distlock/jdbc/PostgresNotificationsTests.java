package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.distlock.Holder;
import io.distlock.databases.NeedsServer;
import io.distlock.records.LockRecords;
import io.distlock.records.RecordEvents;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.test.LockStoreContract;
import io.distlock.test.Pause;
import io.distlock.test.records.LockRecordsContract;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Hand-overs between processes arrive at once, and nothing that arrives is believed. */
class PostgresNotificationsTests {

	private static DataSource pool() {
		return TestDatabase.postgres("TRANSACTION_READ_COMMITTED");
	}

	@Nested
	class Records extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(pool(), JdbcLockStoreSettings.DEFAULTS);
		}

		@Override
		protected boolean notifies() {
			return true;
		}

	}

	@Nested
	class Store extends LockStoreContract {

		@Override
		protected LockStore newStore() {
			return new ListeningStore(new JdbcLockStore(pool(), JdbcLockStoreSettings.DEFAULTS));
		}

	}

	@Nested
	class Hints {

		private final String key = "hint:" + UUID.randomUUID();

		private final String engine = "waiter-" + UUID.randomUUID();

		private final List<RequestId> granted = new CopyOnWriteArrayList<>();

		private final JdbcLockStore holder = new JdbcLockStore(pool(), JdbcLockStoreSettings.DEFAULTS);

		private final JdbcLockStore waiter = new JdbcLockStore(pool(), JdbcLockStoreSettings.DEFAULTS);

		@BeforeEach
		void start() {
			this.holder.start("holder-" + UUID.randomUUID(), listener(new CopyOnWriteArrayList<>()));
			this.waiter.start(this.engine, listener(this.granted));
		}

		@AfterEach
		void stop() {
			this.holder.stop();
			this.waiter.stop();
		}

		@Test
		void grantThatNobodyGaveIsNotBelieved() throws SQLException {
			RequestId holds = new RequestId("holder", 1);
			assertThat(acquire(this.holder, holds)).isInstanceOf(AcquireResult.Granted.class);
			RequestId waits = new RequestId(this.engine, 7);
			assertThat(acquire(this.waiter, waits)).isInstanceOf(AcquireResult.Queued.class);
			Awaitility.await().until(() -> this.waiter.isNotified());
			for (int i = 0; i < 200; i++) {
				notify("G;" + this.engine + ";7;" + this.engine + ";99;98;1;9999999999999;1;" + this.key + ";");
				notify("G;" + this.engine + ";8;x;99;98;1;9999999999999;1;" + this.key + i + ";");
				notify("no message " + i);
			}
			// Long enough for a message to be received and looked into.
			Pause.of(Duration.ofMillis(300));
			assertThat(this.granted).isEmpty();
			this.holder.finish(this.key, holds).toCompletableFuture().join();
			Awaitility.await().untilAsserted(() -> assertThat(this.granted).containsOnly(waits));
		}

		@Test
		void brokenConnectionIsMadeAnew() throws SQLException {
			RequestId waits = new RequestId(this.engine, 1);
			acquire(this.waiter, waits);
			Awaitility.await().until(() -> this.waiter.isNotified());
			execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%"
					+ Notifications.channel(this.engine) + "%' AND pid <> pg_backend_pid()");
			Awaitility.await().until(() -> !this.waiter.isNotified());
			Awaitility.await().until(() -> this.waiter.isNotified());
		}

		private AcquireResult acquire(JdbcLockStore store, RequestId request) {
			return store
				.acquire(new AcquireCommand(this.key, request, Duration.ofSeconds(20), Sharing.EXCLUSIVE, true, 1,
						Duration.ofSeconds(2), new Holder("shop", "host", "engine", "", "", Instant.EPOCH)))
				.toCompletableFuture()
				.join();
		}

		private void notify(String text) throws SQLException {
			execute("NOTIFY \"" + Notifications.channel(this.engine) + "\", '" + text + "'");
		}

	}

	@Test
	void withoutNotificationsNothingListens() {
		LockRecords records = new JdbcLockRecords(pool(), JdbcLockStoreSettings.DEFAULTS.withNotifications(false));
		assertThat(listensAfter(records, Duration.ofMillis(500))).isFalse();
	}

	private static boolean listensAfter(LockRecords records, Duration pause) {
		records.start("polls-" + UUID.randomUUID(), (Events) () -> {
		});
		try {
			records.read("any").toCompletableFuture().join();
			records.expectMessages();
			Pause.of(pause);
			return records.listens();
		}
		finally {
			records.stop();
		}
	}

	private static void execute(String sql) throws SQLException {
		try (Connection connection = pool().getConnection(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static StoreListener listener(List<RequestId> granted) {
		return new StoreListener() {

			@Override
			public void granted(String key, RequestId request, Grant grant) {
				granted.add(request);
			}

			@Override
			public void contended(String key) {
			}

			@Override
			public void reconnected() {
			}

		};
	}

	/** Only what was missed. */
	private interface Events extends RecordEvents {

		@Override
		default void message(String text, long stamp) {
		}

	}

	/** A pooler in transaction mode. */
	@Nested
	@NeedsServer(command = "pgbouncer", debianPackage = "pgbouncer")
	class BehindPgBouncer {

		@Test
		void messagesDoNotArriveAndWaitersPoll() {
			AtomicInteger missed = new AtomicInteger();
			JdbcLockRecords records = new JdbcLockRecords(TestDatabase.pgBouncer(), JdbcLockStoreSettings.DEFAULTS);
			records.start("polls-" + UUID.randomUUID(), (Events) missed::incrementAndGet);
			try {
				records.read("any").toCompletableFuture().join();
				records.expectMessages();
				// Longer than the test message is waited for.
				Pause.of(Duration.ofSeconds(2));
				assertThat(records.listens()).isFalse();
				assertThat(missed).hasValue(0);
			}
			finally {
				records.stop();
			}
		}

	}

}
