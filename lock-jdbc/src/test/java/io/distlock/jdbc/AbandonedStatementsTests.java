package io.distlock.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.databases.NeedsServer;
import io.distlock.databases.PgBouncer;
import io.distlock.databases.PostgresServer;
import io.distlock.engine.LockTemplateBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commits wait for a synchronous standby that is lost. Neither a timeout of the server
 * nor a client that is gone ends that, and still few connections are left behind.
 */
class AbandonedStatementsTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Duration TIMEOUT = Duration.ofMillis(800);

	private static final String WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicBoolean over = new AtomicBoolean();

	@Test
	void commitsThatWaitForALostStandbyAreCancelled() throws Exception {
		try (PostgresServer server = PostgresServer.start();
				LogLines lines = LogLines.of(AbandonedStatements.class);
				HikariDataSource pool = AbstractLockedTableTests.pool(server.url())) {
			LockSchema.create(pool, "distributed_lock");
			PGSimpleDataSource admin = admin(server);
			try (CloseableLockTemplate template = template(pool)) {
				Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> acquires(template, "warm"));
				setStandby(admin, "'nobody'");
				ExecutorService threads = Executors.newCachedThreadPool();
				List<CompletableFuture<Void>> callers = IntStream.range(0, 6)
					.mapToObj((i) -> CompletableFuture.runAsync(() -> tryUntilOver(template, "key" + i), threads))
					.toList();
				Awaitility.await().atMost(PATIENCE).until(() -> this.failures.get() >= 40);
				// Otherwise each would wait until the standby is there again.
				Awaitility.await()
					.atMost(PATIENCE)
					.until(() -> Integer.parseInt(TestDatabase.query(admin, WAITING)) <= 4);
				assertThat(lines.containing("because they waited for SyncRep")).hasSize(1);
				this.over.set(true);
				setStandby(admin, "''");
				assertThat(callers).allSatisfy((caller) -> assertThat(caller).succeedsWithin(PATIENCE));
				Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> acquires(template, "after"));
				threads.shutdown();
				assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
			}
		}
	}

	private static void setStandby(PGSimpleDataSource admin, String names) throws Exception {
		TestDatabase.execute(admin, "ALTER SYSTEM SET synchronous_standby_names = " + names);
		TestDatabase.execute(admin, "SELECT pg_reload_conf()");
	}

	private static PGSimpleDataSource admin(PostgresServer server) {
		PGSimpleDataSource admin = new PGSimpleDataSource();
		admin.setUrl(server.url());
		return admin;
	}

	private static CloseableLockTemplate template(HikariDataSource pool) {
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder().commandTimeout(TIMEOUT).build();
		return LockTemplateBuilder.forStore(new JdbcLockStore(pool, settings))
			.settings(LockSettings.builder().commandTimeout(TIMEOUT).build())
			.build();
	}

	private void tryUntilOver(CloseableLockTemplate template, String key) {
		while (!this.over.get()) {
			try {
				acquires(template, key);
			}
			catch (LockStoreException ex) {
				this.failures.incrementAndGet();
			}
		}
	}

	private static boolean acquires(CloseableLockTemplate template, String key) {
		template.acquire(LockRequest.of(key).waitAtMost(Duration.ZERO)).close();
		return true;
	}

	@Nested
	@NeedsServer(commands = "pgbouncer", debianPackages = "pgbouncer")
	class BehindAPooler {

		/** The pooler's connections serve others too. */
		@Test
		void noStatementOfOthersIsCancelled() throws Exception {
			try (PostgresServer server = PostgresServer.start();
					PgBouncer pooler = PgBouncer.start(server.port());
					HikariDataSource pool = AbstractLockedTableTests.pool(pooler.url());
					ConnectionSource own = ConnectionSource.like(pool, TestDatabase.SETTINGS, PATIENCE)) {
				try (Session session = Session.of(own.connect(PATIENCE), PATIENCE)) {
					own.prepare(session, Dialect.POSTGRESQL);
					session.connection().abort(Runnable::run);
				}
				CompletableFuture<String> others = CompletableFuture.supplyAsync(() -> {
					try {
						return TestDatabase.query(admin(server), "SELECT pg_sleep(2), 1");
					}
					catch (Exception ex) {
						return ex.toString();
					}
				});
				try (LogLines lines = LogLines.of(AbandonedStatements.class);
						Session session = Session.of(own.connect(PATIENCE), PATIENCE)) {
					own.prepare(session, Dialect.POSTGRESQL);
					assertThat(lines.containing("cancelled")).isEmpty();
				}
				assertThat(others).succeedsWithin(PATIENCE).isEqualTo("");
			}
		}

	}

}
