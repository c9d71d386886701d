package io.distlock.reliability.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.databases.DatabaseServer;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.NeedsMySql;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.PostgresServer;
import io.distlock.databases.Wire;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.LockSchema;
import io.distlock.test.Pause;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An asynchronous standby is promoted that lacks the last grants, again and again. Two
 * may then believe, which is what the documentation says; what must hold is that this is
 * over after a lease, that the later holder has the higher token, so that a fence refuses
 * the earlier one, and that with the check of the commit no update is lost in the
 * database. In the full pass.
 */
@Tag("full")
class PromotedStandbyTests {

	private static final int ACQUISITIONS = 3000;

	private static final int PROMOTIONS = 20;

	private static final Duration LEASE = Duration.ofSeconds(2);

	/** For how long nothing reaches the standby before it is promoted. */
	private static final Duration LOST = Duration.ofMillis(300);

	/** PostgreSQL's state of a duplicate key, and the code of MariaDB and MySQL. */
	private static final Set<String> DUPLICATES = Set.of("23505", "1062");

	private static final List<String> KEYS = List.of("stock:1", "stock:2");

	/** Held for long, so that it is held when a standby is promoted. */
	private static final String LONG = "report:1";

	private final Map<String, Inside> sections = new ConcurrentHashMap<>();

	private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

	private final AtomicInteger grants = new AtomicInteger();

	private final AtomicInteger commits = new AtomicInteger();

	private final AtomicInteger overlaps = new AtomicInteger();

	private final AtomicInteger lowerTokens = new AtomicInteger();

	private final AtomicInteger rolledBack = new AtomicInteger();

	private final AtomicInteger losses = new AtomicInteger();

	private volatile long promoted = System.nanoTime() - LEASE.toNanos();

	private volatile boolean stopped;

	private void promoteOften(DatabaseServer first, IntFunction<String> url) throws Exception {
		List<DatabaseServer> servers = new ArrayList<>(List.of(first));
		List<CloseableLockTemplate> templates = new ArrayList<>();
		try (Wire address = new Wire(servers.get(0).port()); HikariDataSource pool = pool(url.apply(address.port()))) {
			LockSchema.create(pool, "distributed_lock");
			execute(servers.get(0),
					"CREATE TABLE sale (stock varchar(50), number bigint, PRIMARY KEY (stock, number))");
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				JdbcLockStore store = new JdbcLockStore(pool, JdbcLockStoreSettings.DEFAULTS);
				CloseableLockTemplate template = LockTemplateBuilder.forStore(store)
					.settings(LockSettings.builder().leaseTime(LEASE).commandTimeout(Duration.ofMillis(650)).build())
					.build();
				templates.add(template);
				threads.add(new Thread(() -> work(template, store, pool, KEYS), "seller"));
				threads.add(new Thread(() -> work(template, store, pool, KEYS), "seller"));
				threads.add(new Thread(() -> work(template, store, pool, List.of(LONG)), "reporter"));
			}
			threads.forEach(Thread::start);
			int promotions = 0;
			for (; promotions < PROMOTIONS || this.grants.get() < ACQUISITIONS; promotions++) {
				promote(servers, address, promotions % 2 == 0);
			}
			this.stopped = true;
			for (Thread thread : threads) {
				thread.join();
			}
			System.out.println(first.url().split(":")[1] + ": " + promotions + " promotions, " + this.grants
					+ " acquisitions, " + this.overlaps + " overlaps within a lease of a promotion, " + this.lowerTokens
					+ " lower tokens then, " + this.losses + " losses reported, " + this.commits + " commits, "
					+ this.rolledBack + " refused by the check, " + this.violations.size() + " violations");
			assertThat(this.violations).isEmpty();
			assertThat(this.commits.get()).isGreaterThan(ACQUISITIONS / 2);
		}
		finally {
			this.stopped = true;
			templates.forEach(CloseableLockTemplate::close);
			servers.forEach(DatabaseServer::close);
		}
	}

	@Nested
	class OnPostgres {

		@Test
		void doubleBeliefsEndWithTheLeaseAndNoUpdateIsLost() throws Exception {
			promoteOften(PostgresServer.start(), PostgresServer::url);
		}

	}

	@Nested
	@NeedsMariaDb
	class OnMariaDb {

		@Test
		void doubleBeliefsEndWithTheLeaseAndNoUpdateIsLost() throws Exception {
			promoteOften(MariaDbServer.startReplicated(), (through) -> MariaDbServer.url("mariadb", through));
		}

	}

	@Nested
	@NeedsMySql
	class OnMySql {

		@Test
		void doubleBeliefsEndWithTheLeaseAndNoUpdateIsLost() throws Exception {
			promoteOften(MySqlServer.startReplicated(), MySqlServer::url);
		}

	}

	private void promote(List<DatabaseServer> servers, Wire address, boolean dead) {
		DatabaseServer primary = servers.get(servers.size() - 1);
		DatabaseServer standby = primary.startStandby();
		servers.add(standby);
		Awaitility.await().until(standby::isFollowing);
		int before = this.grants.get();
		Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> this.grants.get() > before + 50);
		standby.cutOff();
		Pause.of(LOST);
		if (dead) {
			primary.kill();
		}
		standby.promote();
		this.promoted = System.nanoTime();
		address.to(standby.port());
		// Until now statements reached the former primary.
		this.promoted = System.nanoTime();
		servers.remove(primary);
		primary.close();
	}

	private void work(CloseableLockTemplate template, JdbcLockStore store, HikariDataSource pool, List<String> keys) {
		while (!this.stopped) {
			String key = keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
			try (LockHandle handle = template.acquire(LockRequest.of(key).waitAtMost(Duration.ofSeconds(10)))) {
				Inside section = this.sections.computeIfAbsent(key, (first) -> new Inside());
				section.enter(handle);
				try {
					sell(key, handle.fencingToken(), store, pool);
				}
				finally {
					section.leave(handle);
				}
				this.grants.incrementAndGet();
			}
			catch (LockLostException ex) {
				this.losses.incrementAndGet();
			}
			catch (LockBusyException | LockStoreException ex) {
				Pause.of(Duration.ofMillis(5));
			}
			catch (RuntimeException ex) {
				this.violations.add("Unexpected: " + ex);
			}
		}
	}

	/** Nobody else may commit between this reading and this commit. */
	private void sell(String key, long token, JdbcLockStore store, HikariDataSource pool) {
		try (Connection transaction = pool.getConnection()) {
			transaction.setAutoCommit(false);
			try {
				long number = last(transaction, key);
				Pause.of(Duration
					.ofNanos(ThreadLocalRandom.current().nextLong(key.equals(LONG) ? LEASE.toNanos() : 2_000_000)));
				try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO sale VALUES (?, ?)")) {
					insert.setString(1, key);
					insert.setLong(2, number + 1);
					insert.executeUpdate();
				}
				if (store.lockRows(transaction, Map.of(key, token)).isEmpty()) {
					transaction.commit();
					this.commits.incrementAndGet();
				}
				else {
					transaction.rollback();
					this.rolledBack.incrementAndGet();
				}
			}
			catch (SQLException ex) {
				transaction.rollback();
				if (DUPLICATES.contains(ex.getSQLState()) || DUPLICATES.contains("" + ex.getErrorCode())) {
					overtaken(transaction, key, token, store);
				}
			}
		}
		catch (SQLException ex) {
			// Connections end with their server.
		}
	}

	/** Another one has sold meanwhile, so it must not be our lock. */
	private void overtaken(Connection transaction, String key, long token, JdbcLockStore store) throws SQLException {
		if (store.lockRows(transaction, Map.of(key, token)).isEmpty()) {
			this.violations.add("Sold while token " + token + " had the row of " + key);
		}
		transaction.rollback();
		this.rolledBack.incrementAndGet();
	}

	private static long last(Connection transaction, String key) throws SQLException {
		try (PreparedStatement query = transaction
			.prepareStatement("SELECT COALESCE(max(number), 0) FROM sale WHERE stock = ?")) {
			query.setString(1, key);
			try (ResultSet result = query.executeQuery()) {
				result.next();
				return result.getLong(1);
			}
		}
	}

	private static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(12);
		pool.setMinimumIdle(0);
		pool.setConnectionTimeout(1000);
		return pool;
	}

	private static void execute(DatabaseServer server, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(server.url());
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** Sees whether two are inside at once, which is right only after a promotion. */
	private final class Inside {

		private final List<LockHandle> inside = new ArrayList<>();

		private long highest;

		synchronized void enter(LockHandle handle) {
			// Before it is asked who believes: this thread may stall in between.
			long now = System.nanoTime();
			for (LockHandle other : this.inside) {
				if (handle.isHeld() && other.isHeld()) {
					PromotedStandbyTests.this.overlaps.incrementAndGet();
					judge(now, handle, other.fencingToken() + " is believed too");
					if (handle.fencingToken() == other.fencingToken()) {
						PromotedStandbyTests.this.violations.add("No fence tells them apart: " + handle.fencingToken());
					}
				}
			}
			if (handle.isHeld() && handle.fencingToken() <= this.highest) {
				PromotedStandbyTests.this.lowerTokens.incrementAndGet();
				judge(now, handle, "it came after " + this.highest);
			}
			this.highest = Math.max(this.highest, handle.fencingToken());
			this.inside.add(handle);
		}

		private void judge(long now, LockHandle handle, String what) {
			if (now - PromotedStandbyTests.this.promoted > LEASE.toNanos()) {
				PromotedStandbyTests.this.violations
					.add("More than a lease after the promotion token " + handle.fencingToken() + ": " + what);
			}
		}

		synchronized void leave(LockHandle handle) {
			this.inside.remove(handle);
		}

	}

}
