package io.distlock.reliability.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.databases.DatabaseServer;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.PostgresServer;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.LockSchema;
import io.distlock.reliability.Pass;
import io.distlock.reliability.rig.Contest;
import io.distlock.spi.LockStore;
import io.distlock.test.Pause;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Real databases that lose connections, die, come back and freeze. */
class DatabaseFaultTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final int ACQUISITIONS = Pass.current().of(100, 3000);

	/** How many locks lose their rows at once. */
	private static final int KEYS = 20;

	private static final int KILLS = Pass.current().of(5, 200);

	private static final int CRASHES = Pass.current().of(1, 5);

	private static PostgresServer server;

	private final List<HikariDataSource> pools = new CopyOnWriteArrayList<>();

	@BeforeAll
	static void start() {
		server = PostgresServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@AfterEach
	void closePools() {
		this.pools.forEach(HikariDataSource::close);
	}

	private LockStore store(String url) {
		return new JdbcLockStore(pool(url), JdbcLockStoreSettings.DEFAULTS);
	}

	private HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(1);
		pool.setMinimumIdle(0);
		this.pools.add(pool);
		return pool;
	}

	@FunctionalInterface
	private interface Fault {

		void happen() throws SQLException;

	}

	private void contest(DatabaseServer server, String name, int times, Fault fault)
			throws SQLException, InterruptedException {
		String url = server.url();
		LockSchema.create(pool(url), "distributed_lock");
		Contest contest = new Contest(() -> store(url), LockSettings.builder().leaseTime(LEASE).build());
		try (contest) {
			int begun = contest.await(20);
			for (int i = 0; i < times; i++) {
				fault.happen();
			}
			contest.await(begun + ACQUISITIONS);
		}
		System.out.println(url.split(":")[1] + ", " + name + ": " + contest);
		assertThat(contest.violations()).as(contest.toString()).isEmpty();
	}

	private void contestWhileConnectionsAreKilled(DatabaseServer server, String kill) throws Exception {
		contest(server, "connections killed", KILLS, () -> {
			execute(server.url(), kill);
			Pause.of(Duration.ofMillis(70));
		});
	}

	private void contestWhileServerCrashesAndFreezes(DatabaseServer server) throws Exception {
		contest(server, "killed, started again and frozen", CRASHES, () -> {
			server.kill();
			Pause.of(Duration.ofMillis(500));
			server.restart();
			Pause.of(Duration.ofMillis(500));
			server.signal("STOP");
			Pause.of(Duration.ofMillis(1200));
			server.signal("CONT");
			Pause.of(Duration.ofMillis(500));
		});
	}

	@Test
	void postgresqlConnectionsAreKilled() throws Exception {
		contestWhileConnectionsAreKilled(server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
				+ " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
	}

	@Test
	void postgresqlCrashesAndFreezes() throws Exception {
		contestWhileServerCrashesAndFreezes(server);
	}

	/** Two believe for a while; a fence that has seen the second refuses the first. */
	@Test
	void asynchronousStandbyIsPromotedAndTheNextHolderHasTheHigherToken() throws Exception {
		LockSchema.create(pool(server.url()), "distributed_lock");
		try (DatabaseServer standby = server.startStandby();
				CloseableLockTemplate former = patient(pool(server.url()));
				CloseableLockTemplate next = patient(pool(standby.url()))) {
			// The standby stops to receive, then the lock is granted.
			standby.cutOff();
			LockHandle first = former.acquire(LockRequest.of("promoted"));
			standby.promote();
			LockHandle second = next.acquire(LockRequest.of("promoted"));
			assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
			second.close();
			first.close();
		}
	}

	/**
	 * Processes estimate the clock of the database, and none of them by more than the
	 * guard behind it: tokens rise if that much time has passed since the lost grant.
	 */
	@Test
	void rowsAreDeletedUnderTheHoldersAndTokensStillRiseAfterAGuard() throws Exception {
		LockSchema.create(pool(server.url()), "distributed_lock");
		try (CloseableLockTemplate one = patient(pool(server.url()));
				CloseableLockTemplate two = patient(pool(server.url()))) {
			long[] highest = new long[KEYS];
			for (int round = 0; round < Pass.current().of(2, 80); round++) {
				List<LockHandle> first = acquire(round % 2 == 0 ? one : two);
				for (int i = 0; i < KEYS; i++) {
					assertThat(first.get(i).fencingToken()).isGreaterThan(highest[i]);
				}
				Pause.of(Duration.ofMillis(105));
				execute(server.url(), "DELETE FROM distributed_lock");
				List<LockHandle> second = acquire(round % 2 == 0 ? two : one);
				for (int i = 0; i < KEYS; i++) {
					assertThat(second.get(i).fencingToken()).isGreaterThan(first.get(i).fencingToken());
					highest[i] = second.get(i).fencingToken();
				}
				second.forEach(LockHandle::close);
				// Or its process would pass the lock on, with a token that it had
				// reserved.
				first.forEach(DatabaseFaultTests::closeLost);
				Pause.of(Duration.ofMillis(105));
			}
		}
	}

	private static List<LockHandle> acquire(CloseableLockTemplate template) {
		return IntStream.range(0, KEYS).mapToObj((i) -> template.acquire(LockRequest.of("stock:" + i))).toList();
	}

	private static void closeLost(LockHandle handle) {
		try {
			handle.close();
		}
		catch (LockLostException ex) {
			// Its row is gone, which is what the test did.
		}
	}

	/** Each caller has the only connection of its pool while it waits for the lock. */
	@Test
	void transactionsHoldEachConnectionOfThePool() throws Exception {
		HikariDataSource pool = pool(server.url());
		LockSchema.create(pool, "distributed_lock");
		execute(server.url(), "CREATE TABLE stock (sold integer)");
		execute(server.url(), "INSERT INTO stock VALUES (0)");
		int each = Pass.current().of(5, 200);
		AtomicInteger done = new AtomicInteger();
		try (CloseableLockTemplate template = patient(pool)) {
			CountDownLatch end = new CountDownLatch(16);
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < 16; i++) {
				Thread thread = new Thread(() -> {
					try {
						for (int j = 0; j < each; j++) {
							sell(pool, template);
							done.incrementAndGet();
						}
					}
					catch (SQLException ex) {
						throw new IllegalStateException(ex);
					}
					finally {
						end.countDown();
					}
				});
				threads.add(thread);
				thread.start();
			}
			end.await();
		}
		assertThat(done).hasValue(16 * each);
		assertThat(query(server.url(), "SELECT sold FROM stock")).isEqualTo(16 * each);
	}

	private static void sell(HikariDataSource pool, CloseableLockTemplate template) throws SQLException {
		try (Connection transaction = pool.getConnection()) {
			transaction.setAutoCommit(false);
			try (LockHandle lock = template.acquire(LockRequest.of("stock:1"));
					Statement statement = transaction.createStatement()) {
				statement.execute("UPDATE stock SET sold = sold + 1");
				transaction.commit();
			}
		}
	}

	/** Faults of MariaDB. */
	@Nested
	@NeedsMariaDb
	class OnMariaDb {

		@Test
		void connectionsAreKilledAndTheServerCrashesAndFreezes() throws Exception {
			try (DatabaseServer mariaDb = MariaDbServer.start()) {
				contestWhileConnectionsAreKilled(mariaDb, "KILL USER root");
				contestWhileServerCrashesAndFreezes(mariaDb);
			}
		}

	}

	private static void execute(String url, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			// It may have killed its own connection.
			if (!sql.startsWith("KILL")) {
				throw ex;
			}
		}
	}

	private static int query(String url, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getInt(1);
		}
	}

	/**
	 * For faults that leave no command without an answer, on a machine that may stall.
	 */
	private static CloseableLockTemplate patient(HikariDataSource pool) {
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder().commandTimeout(PATIENCE).build();
		return LockTemplateBuilder.forStore(new JdbcLockStore(pool, settings))
			.settings(LockSettings.builder().commandTimeout(PATIENCE).build())
			.build();
	}

}
