package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.distlock.databases.NeedsServer;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordEvents;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreCheckResult;
import io.distlock.spi.StoreListener;
import io.distlock.test.Pause;
import io.distlock.test.records.LockRecordsContract;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Hand-overs between processes arrive at once, and nothing that arrives is believed. */
class PostgresNotificationsTests {

	private static DataSource pool() {
		return TestDatabase.postgres("TRANSACTION_READ_COMMITTED");
	}

	@Nested
	@Tag("ci")
	class Records extends LockRecordsContract {

		@Override
		protected LockRecords newRecords() {
			return new JdbcLockRecords(pool(), TestDatabase.SETTINGS);
		}

		@Override
		protected boolean notifies() {
			return true;
		}

	}

	@Nested
	class Hints {

		private final String key = "hint:" + UUID.randomUUID();

		private final String engine = "waiter-" + UUID.randomUUID();

		private final List<RequestId> granted = new CopyOnWriteArrayList<>();

		private final AtomicInteger connected = new AtomicInteger();

		private final JdbcLockStore holder = new JdbcLockStore(pool(), TestDatabase.SETTINGS);

		private final JdbcLockStore waiter = new JdbcLockStore(pool(), TestDatabase.SETTINGS);

		@BeforeEach
		void start() {
			this.holder.start("holder-" + UUID.randomUUID(), new Nobody());
			this.waiter.start(this.engine, listener(this.granted, this.connected));
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
			// A connection for each of them would take longer than the lease of the
			// holder.
			try (Connection connection = pool().getConnection(); Statement statement = connection.createStatement()) {
				for (int i = 0; i < 200; i++) {
					notify(statement, "G;" + this.engine + ";7;" + this.key + ";");
					notify(statement, "G;" + this.engine + ";8;" + this.key + i + ";");
					notify(statement, "no message " + i);
				}
			}
			// Long enough for a message to be received and looked into.
			Pause.of(Duration.ofMillis(300));
			assertThat(this.granted).isEmpty();
			// A waiter that has not asked for a while is dropped.
			assertThat(acquire(this.waiter, waits)).isInstanceOf(AcquireResult.Queued.class);
			this.holder.finish(this.key, holds, Duration.ZERO).toCompletableFuture().join();
			Awaitility.await().untilAsserted(() -> assertThat(this.granted).containsOnly(waits));
		}

		@Test
		void brokenConnectionIsMadeAnew() throws SQLException {
			RequestId waits = new RequestId(this.engine, 1);
			acquire(this.waiter, waits);
			Awaitility.await().until(() -> this.connected.get() == 1);
			TestDatabase.execute(pool(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%"
					+ Notifications.channel(this.engine) + "%' AND pid <> pg_backend_pid()");
			Awaitility.await().until(() -> this.connected.get() == 2);
			Awaitility.await().until(() -> this.waiter.isNotified());
		}

		private AcquireResult acquire(JdbcLockStore store, RequestId request) {
			return PostgresNotificationsTests.acquire(store, this.key, request);
		}

		private void notify(Statement statement, String text) throws SQLException {
			statement.execute("NOTIFY \"" + Notifications.channel(this.engine) + "\", '" + text + "'");
		}

	}

	/** The thread is started before the first answer, or never. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void nothingListensWithoutNotifications(boolean notifications) {
		Set<Thread> before = listeners();
		LockRecords records = new JdbcLockRecords(pool(), TestDatabase.settings().notifications(notifications).build());
		records.start("polls-" + UUID.randomUUID(), new Nobody());
		try {
			records.expectMessages();
			records.read("any").toCompletableFuture().join();
			Set<Thread> started = listeners();
			started.removeAll(before);
			assertThat(started).hasSize(notifications ? 1 : 0);
			if (notifications) {
				Awaitility.await().until(records::listens);
			}
			assertThat(records.listens()).isEqualTo(notifications);
		}
		finally {
			records.stop();
		}
	}

	private static Set<Thread> listeners() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("distributed-lock-jdbc-listen"))
			.collect(Collectors.toCollection(HashSet::new));
	}

	/**
	 * A busy database is no pooler: the message of the self-test waits behind another
	 * statement.
	 */
	@Test
	void selfTestThatWaitsForItsTurnIsNoPooler() throws SQLException {
		LockSchema.create(pool(), "busy_lock");
		JdbcLockRecords records = new JdbcLockRecords(pool(),
				TestDatabase.settings()
					.table("busy_lock")
					.connections(1)
					.commandTimeout(Duration.ofSeconds(5))
					.build());
		records.start("busy-" + UUID.randomUUID(), new Nobody());
		try (Connection connection = pool().getConnection(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("LOCK TABLE busy_lock IN ACCESS EXCLUSIVE MODE");
			CompletionStage<?> read = records.read("any");
			// Longer than a message that was sent may take.
			Pause.of(Duration.ofMillis(1800));
			assertThat(records.listens()).isFalse();
			connection.rollback();
			connection.setAutoCommit(true);
			read.toCompletableFuture().exceptionally((failure) -> null).join();
			Awaitility.await().until(records::listens);
		}
		finally {
			records.stop();
		}
	}

	/** What the server refuses to tell does not keep a lock from being handed over. */
	@Nested
	class Refused {

		private final String name = "u" + UUID.randomUUID().toString().substring(0, 8);

		private final LogLines log = LogLines.of(JdbcLockRecords.class);

		private final PGSimpleDataSource administrator = new PGSimpleDataSource();

		private HikariDataSource user;

		@BeforeEach
		void createDatabase() throws SQLException {
			TestDatabase.execute(pool(), "CREATE USER " + this.name);
			TestDatabase.execute(pool(), "CREATE DATABASE " + this.name);
			this.administrator.setUrl(TestDatabase.postgresUrl());
			this.administrator.setDatabaseName(this.name);
			LockSchema.create(this.administrator, "distributed_lock");
			TestDatabase.execute(this.administrator,
					"GRANT SELECT, INSERT, UPDATE, DELETE ON distributed_lock TO " + this.name);
			PGSimpleDataSource connections = new PGSimpleDataSource();
			connections.setUrl(TestDatabase.postgresUrl());
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl("jdbc:postgresql://" + connections.getServerNames()[0] + ":"
					+ connections.getPortNumbers()[0] + "/" + this.name + "?user=" + this.name);
			config.setMinimumIdle(0);
			this.user = new HikariDataSource(config);
		}

		@AfterEach
		void close() {
			this.user.close();
			this.log.close();
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void waitersPoll(boolean later) throws SQLException {
			if (!later) {
				refuse();
			}
			JdbcLockStore holder = new JdbcLockStore(this.user, TestDatabase.SETTINGS);
			JdbcLockStore waiter = new JdbcLockStore(this.user, TestDatabase.SETTINGS);
			String engine = "waiter-" + UUID.randomUUID();
			holder.start("holder-" + UUID.randomUUID(), new Nobody());
			waiter.start(engine, new Nobody());
			try {
				RequestId holds = new RequestId("holder", 1);
				assertThat(acquire(holder, "refused", holds)).isInstanceOf(AcquireResult.Granted.class);
				RequestId waits = new RequestId(engine, 1);
				assertThat(acquire(waiter, "refused", waits)).isInstanceOf(AcquireResult.Queued.class);
				if (later) {
					Awaitility.await().until(() -> holder.isNotified() && waiter.isNotified());
					refuse();
				}
				holder.finish("refused", holds, Duration.ZERO).toCompletableFuture().join();
				Awaitility.await()
					.untilAsserted(() -> assertThat(acquire(waiter, "refused", waits))
						.isInstanceOf(AcquireResult.Granted.class));
				Awaitility.await().until(() -> !holder.isNotified());
				// Each process finds out for itself, and logs it once.
				assertThat(this.log.containing("refuses notifications")).hasSizeBetween(1, 2);
			}
			finally {
				holder.stop();
				waiter.stop();
			}
		}

		@Test
		void startupCheckWarns() throws SQLException {
			JdbcStartupCheck check = new JdbcStartupCheck(this.user, TestDatabase.SETTINGS);
			assertThat(check.run()).isEqualTo(new StoreCheckResult.Passed(List.of()));
			refuse();
			assertThat(check.run()).isInstanceOfSatisfying(StoreCheckResult.Passed.class,
					(passed) -> assertThat(passed.warnings()).singleElement()
						.asString()
						.contains("refuses notifications", "EXECUTE on pg_notify"));
			assertThat(new JdbcStartupCheck(this.user, TestDatabase.settings().notifications(false).build()).run())
				.isEqualTo(new StoreCheckResult.Passed(List.of()));
		}

		private void refuse() throws SQLException {
			TestDatabase.execute(this.administrator, "REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC");
		}

	}

	private static AcquireResult acquire(JdbcLockStore store, String key, RequestId request) {
		return Commands.join(store.acquire(Commands.queue(key, request, Duration.ofSeconds(20))));
	}

	private static StoreListener listener(List<RequestId> granted, AtomicInteger connected) {
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
				connected.incrementAndGet();
			}

		};
	}

	/** A pooler in transaction mode. */
	@Nested
	@Tag("ci")
	@NeedsServer(commands = "pgbouncer", debianPackages = "pgbouncer")
	class BehindPgBouncer {

		@Test
		void messagesDoNotArriveAndWaitersPoll() {
			AtomicInteger missed = new AtomicInteger();
			JdbcLockRecords records = new JdbcLockRecords(TestDatabase.pgBouncer(), TestDatabase.SETTINGS);
			try (LogLines log = LogLines.of(PostgresNotifications.class)) {
				records.start("polls-" + UUID.randomUUID(), new RecordEvents() {

					@Override
					public void message(String text) {
					}

					@Override
					public void missed() {
						missed.incrementAndGet();
					}

				});
				records.expectMessages();
				records.read("any").toCompletableFuture().join();
				Awaitility.await().untilAsserted(() -> assertThat(log.containing("do not arrive")).hasSize(1));
				assertThat(records.listens()).isFalse();
				assertThat(missed).hasValue(0);
			}
			finally {
				records.stop();
			}
		}

	}

}
