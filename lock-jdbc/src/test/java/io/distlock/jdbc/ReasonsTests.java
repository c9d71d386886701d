package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.PostgresServer;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.StoreCheckResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Why the database gives no connection is said by the check at startup, and to each
 * caller.
 */
@Tag("ci")
class ReasonsTests {

	/** A caller learns it after half of it. */
	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static PostgresServer server;

	@BeforeAll
	static void start() {
		server = PostgresServer.start();
		execute(server.url(), "CREATE ROLE app LOGIN PASSWORD 'right'", "CREATE ROLE few LOGIN CONNECTION LIMIT 1",
				"GRANT ALL ON SCHEMA public TO app");
		askForPasswords(server, "app");
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	/** Lets the server ask a user for the password, as servers usually do. */
	static void askForPasswords(PostgresServer server, String user) {
		execute(server.url(), """
				DO $$ BEGIN EXECUTE format('COPY (VALUES (%L), (%L)) TO %L',
				'host all USER 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 trust',
				current_setting('hba_file')); END $$""".replace("USER", user), "SELECT pg_reload_conf()");
	}

	static void execute(String url, String... statements) {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void wrongPasswordIsNamed() throws Exception {
		assertThatItIsRefused(url("app", "&password=wrong"), "refused the user", "password authentication failed");
	}

	@Test
	void missingPasswordIsNamed() throws Exception {
		assertThatItIsRefused(url("app", ""), "refused the user", "no password was provided");
	}

	@Test
	void missingDatabaseIsNamed() throws Exception {
		assertThatItIsRefused(server.url().replace("/postgres?", "/nowhere?"), "database \"nowhere\" does not exist");
	}

	@Test
	void nobodyAtThePortIsNamed() throws Exception {
		assertThatEachCallerLearns("jdbc:postgresql://127.0.0.1:1/postgres?user=postgres", "refused");
		assertThat(check("jdbc:postgresql://127.0.0.1:1/postgres?user=postgres"))
			.isInstanceOfSatisfying(StoreCheckResult.Unreachable.class, (result) -> {
				assertThat(result.message()).contains("refused");
				assertThat(result.cause()).isNotNull();
			});
	}

	/** As with an application's pool of the size that the user may have. */
	@Test
	void userWithoutAConnectionLeftIsNamed() throws Exception {
		try (Connection last = DriverManager.getConnection(url("few", ""))) {
			assertThatItIsRefused(url("few", ""), "has no connection left for the locks of table distributed_lock",
					"too many connections for role \"few\"");
			assertThat(last.isClosed()).isFalse();
		}
	}

	/** A migration may be under way when the application starts. */
	@Test
	void tableThatIsLockedForLongLeavesItOpen() throws Exception {
		try (Connection blocker = DriverManager.getConnection(server.url());
				Statement statement = blocker.createStatement();
				HikariDataSource pool = pool(server.url())) {
			LockSchema.create(pool, "long_lock");
			blocker.setAutoCommit(false);
			statement.execute("LOCK TABLE long_lock IN ACCESS EXCLUSIVE MODE");
			JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder()
				.table("long_lock")
				.commandTimeout(Duration.ofSeconds(2))
				.build();
			assertThat(new JdbcStartupCheck(pool, settings).run()).isInstanceOfSatisfying(
					StoreCheckResult.Unreachable.class,
					(result) -> assertThat(result.message()).contains("or all of it, is locked by a transaction"));
			CompletableFuture<StoreCheckResult> patient = CompletableFuture.supplyAsync(
					() -> new JdbcStartupCheck(pool, TestDatabase.settings().table("long_lock").build()).run());
			PGSimpleDataSource admin = new PGSimpleDataSource();
			admin.setUrl(server.url());
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> TestDatabase
					.query(admin, "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
					.equals("t"));
			blocker.rollback();
			assertThat(patient).succeedsWithin(Duration.ofMinutes(2)).isEqualTo(new StoreCheckResult.Passed(List.of()));
		}
	}

	/** The pool fills later than the check runs. */
	@Test
	void poolThatMayLeaveNoConnectionIsNamed() throws Exception {
		execute(server.url(), "CREATE ROLE four LOGIN CONNECTION LIMIT 4", "GRANT ALL ON SCHEMA public TO four");
		try (HikariDataSource pool = pool(url("four", ""))) {
			LockSchema.create(pool, "four_lock");
			JdbcLockStoreSettings settings = TestDatabase.settings().table("four_lock").build();
			pool.getHikariConfigMXBean().setMaximumPoolSize(2);
			assertThat(((StoreCheckResult.Passed) new JdbcStartupCheck(pool, settings).run()).warnings())
				.singleElement()
				.asString()
				.startsWith("The user of the database may have 4 connections, but the application's pool may take 2,"
						+ " and locks need 3 besides: allow the user more");
			pool.getHikariConfigMXBean().setMaximumPoolSize(1);
			assertThat(new JdbcStartupCheck(pool, settings).run()).isEqualTo(new StoreCheckResult.Passed(List.of()));
		}
	}

	@Test
	void serverThatGoesAwayIsNamed() throws Exception {
		try (PostgresServer goes = PostgresServer.start(); HikariDataSource pool = pool(goes.url())) {
			LockSchema.create(pool, "distributed_lock");
			try (CloseableLockTemplate template = template(pool)) {
				template.acquire("warm").close();
				goes.kill();
				failures(template, 1);
				assertThat(failures(template, 3))
					.allSatisfy((failure) -> assertThat(failure).contains("did not answer: ", "refused"));
			}
		}
	}

	private static void assertThatItIsRefused(String url, String... reasons) throws Exception {
		assertThat(check(url).problems()).singleElement().asString().contains(reasons);
		assertThatEachCallerLearns(url, reasons);
	}

	private static void assertThatEachCallerLearns(String url, String... reasons) throws Exception {
		try (HikariDataSource pool = pool(url); CloseableLockTemplate template = template(pool)) {
			assertThat(failures(template, 2)).allSatisfy((failure) -> assertThat(failure).contains(reasons));
		}
	}

	private static StoreCheckResult check(String url) {
		try (HikariDataSource pool = pool(url)) {
			return new JdbcStartupCheck(pool, TestDatabase.SETTINGS).run();
		}
	}

	/** What several callers read, again and again. */
	private static Queue<String> failures(CloseableLockTemplate template, int times) throws Exception {
		Queue<String> failures = new ConcurrentLinkedQueue<>();
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			List<CompletableFuture<Void>> callers = new ArrayList<>();
			IntStream.range(0, 8).forEach((i) -> callers.add(CompletableFuture.runAsync(() -> {
				for (int n = 0; n < times; n++) {
					try {
						template.acquire(LockRequest.of("key" + i).waitAtMost(Duration.ZERO)).close();
					}
					catch (LockStoreException ex) {
						failures.add(String.valueOf(ex.getMessage()));
					}
				}
			}, threads)));
			assertThat(callers).allSatisfy((caller) -> assertThat(caller).succeedsWithin(Duration.ofMinutes(3)));
		}
		finally {
			threads.shutdown();
			assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		}
		assertThat(failures).isNotEmpty();
		return failures;
	}

	private static CloseableLockTemplate template(HikariDataSource pool) {
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder().commandTimeout(TIMEOUT).build();
		return LockTemplateBuilder.forStore(new JdbcLockStore(pool, settings))
			.settings(LockSettings.builder().commandTimeout(TIMEOUT).build())
			.build();
	}

	private static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMinimumIdle(0);
		pool.setInitializationFailTimeout(-1);
		return pool;
	}

	private static String url(String user, String rest) {
		return server.url().replace("user=postgres", "user=" + user) + rest;
	}

	@Nested
	@NeedsMariaDb
	class OfMariaDb {

		@Test
		void wrongPasswordIsNamed() throws Exception {
			try (MariaDbServer maria = MariaDbServer.start()) {
				execute(maria.url(), "CREATE USER 'app'@'127.0.0.1' IDENTIFIED BY 'right'");
				assertThatItIsRefused(maria.url().replace("user=root", "user=app&password=wrong"), "Access denied");
			}
		}

		@Test
		void userWithoutAConnectionLeftIsNamed() throws Exception {
			try (MariaDbServer maria = MariaDbServer.start()) {
				execute(maria.url(), "CREATE USER 'few'@'127.0.0.1' IDENTIFIED BY '' WITH MAX_USER_CONNECTIONS 1",
						"GRANT ALL ON test.* TO 'few'@'127.0.0.1'");
				String few = maria.url().replace("user=root", "user=few");
				try (Connection last = DriverManager.getConnection(few)) {
					assertThatItIsRefused(few, "has no connection left", "max_user_connections");
					assertThat(last.isClosed()).isFalse();
				}
			}
		}

	}

}
