package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is peculiar to a database: its connections, its rows, and its failures. */
class JdbcLockStoreTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private final DataSource postgres = TestDatabase.postgres();

	private final String key = "jdbc:" + UUID.randomUUID();

	private JdbcLockStore store = start(TestDatabase.SETTINGS);

	@AfterEach
	void stop() {
		this.store.stop();
	}

	private JdbcLockStore start(JdbcLockStoreSettings settings) {
		JdbcLockStore started = new JdbcLockStore(this.postgres, settings);
		started.start("engine", new Nobody());
		return started;
	}

	@Test
	void operatorsSeeHoldersInTheTable() throws SQLException {
		acquire(1);
		assertThat(query("SELECT busy || ' ' || holder FROM distributed_lock WHERE lock_key = '" + this.key + "'"))
			.isEqualTo("1 shop@host Some.method(?)");
		Commands.join(this.store.finish(this.key, new RequestId("engine", 1), Duration.ZERO));
		assertThat(query("SELECT busy || holder FROM distributed_lock WHERE lock_key = '" + this.key + "'"))
			.isEqualTo("0");
	}

	@Test
	void noConnectionIsHeldWhileALockIsHeld() {
		PGSimpleDataSource source = new PGSimpleDataSource();
		source.setUrl(TestDatabase.postgresUrl());
		source.setApplicationName("held by nobody");
		this.store.stop();
		// Each statement logs in, which takes a slow machine seconds.
		this.store = new JdbcLockStore(source, TestDatabase.settings().commandTimeout(Duration.ofSeconds(30)).build());
		this.store.start("engine", new Nobody());
		acquire(1);
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> "0"
				.equals(query("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'held by nobody'")));
		assertThat(Commands.join(this.store.inspect(this.key)).owner()).isEqualTo(new RequestId("engine", 1));
	}

	@Test
	void missingTableIsNamedWithItsFix() {
		this.store.stop();
		this.store = start(TestDatabase.settings().table("no_such_table").build());
		assertThatThrownBy(() -> acquire(1)).isInstanceOf(CompletionException.class)
			.cause()
			.isInstanceOf(LockStoreException.class)
			.isNotInstanceOf(TransientStoreException.class)
			.hasMessageContaining("no_such_table")
			.hasMessageContaining("io/distlock/jdbc/schema-postgresql.sql");
	}

	@Test
	void prefixKeepsApplicationsApart() {
		acquire(1);
		this.store.stop();
		this.store = start(TestDatabase.settings().keyPrefix("other:").build());
		assertThat(acquire(2)).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void killedConnectionCostsNoLock() throws SQLException {
		acquire(1);
		query("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE '%distributed_lock%'"
				+ " AND pid <> pg_backend_pid()");
		Awaitility.await()
			.ignoreExceptions()
			.until(() -> new RequestId("engine", 1).equals(Commands.join(this.store.inspect(this.key)).owner()));
	}

	@Test
	void deletedRowEndsTheHold() throws SQLException {
		Grant before = ((AcquireResult.Granted) acquire(1)).grant();
		TestDatabase.execute(this.postgres, "DELETE FROM distributed_lock WHERE lock_key = '" + this.key + "'");
		assertThat(Commands.join(this.store.inspect(this.key)).owner()).isNull();
		Grant after = ((AcquireResult.Granted) acquire(2)).grant();
		assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
	}

	@Test
	void unusedRowsAreDeletedAndUsedOnesAreNot() throws SQLException {
		acquire(1);
		TestDatabase.execute(this.postgres,
				"INSERT INTO distributed_lock VALUES ('unused-" + this.key + "', 1, 0, 5, '', '', 0, 0)");
		TestDatabase.execute(this.postgres,
				"INSERT INTO distributed_lock VALUES ('dead-" + this.key + "', 1, 1, 5, '', '', 0, 5)");
		collectAll(Duration.ofMinutes(1));
		assertThat(query("SELECT count(*) FROM distributed_lock WHERE lock_key LIKE '%" + this.key + "'"))
			.isEqualTo("1");
	}

	/** Keys that are used once, as orders are, must not fill the table. */
	@Test
	void rowIsKeptForAnHour() throws SQLException {
		long now = Long.parseLong(query("SELECT CAST(extract(epoch from clock_timestamp()) * 1000 AS bigint)"));
		insertUnused("older-", now - Duration.ofMinutes(61).toMillis());
		insertUnused("newer-", now - Duration.ofMinutes(50).toMillis());
		collectAll(JdbcLockStoreSettings.DEFAULTS.keepIdle());
		assertThat(query("SELECT lock_key FROM distributed_lock WHERE lock_key LIKE '%" + this.key + "'"))
			.isEqualTo("newer-" + this.key);
	}

	/** Other classes leave rows in the same table, more than one turn takes. */
	private void collectAll(Duration keep) {
		JdbcLockRecords records = new JdbcLockRecords(this.postgres, TestDatabase.SETTINGS);
		records.start("collector", null);
		Awaitility.await().until(() -> Commands.join(records.collect(keep, 200)) == 0);
		records.stop();
	}

	private void insertUnused(String name, long usedAt) throws SQLException {
		TestDatabase.execute(this.postgres, "INSERT INTO distributed_lock VALUES ('" + name + this.key + "', 1, 0, "
				+ usedAt * 1000 + ", '', '', 0, " + usedAt + ")");
	}

	@Test
	void poolOfOneConnectionThatTheCallerHoldsIsEnough() throws SQLException {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(this.postgres);
			pool.setMaximumPoolSize(1);
			pool.setAutoCommit(false);
			this.store.stop();
			this.store = new JdbcLockStore(pool, TestDatabase.SETTINGS);
			try (Connection transaction = pool.getConnection()) {
				this.store.start("engine", new Nobody());
				assertThat(acquire(1)).isInstanceOf(AcquireResult.Granted.class);
				transaction.rollback();
			}
			assertThat(Commands.join(this.store.inspect(this.key)).owner()).isEqualTo(new RequestId("engine", 1));
		}
	}

	@Test
	void settingsAreChecked() {
		refused((settings) -> settings.table("a; DROP")).withMessageContaining("a; DROP");
		refused((settings) -> settings.keyPrefix("a b"));
		refused((settings) -> settings.connections(0));
		refused((settings) -> settings.pollInterval(Duration.ZERO));
		refused((settings) -> settings.keepIdle(Duration.ZERO));
	}

	private static ThrowableAssertAlternative<IllegalArgumentException> refused(
			UnaryOperator<JdbcLockStoreSettings.Builder> wrong) {
		JdbcLockStoreSettings.Builder settings = wrong.apply(JdbcLockStoreSettings.builder());
		return assertThatIllegalArgumentException().isThrownBy(settings::build);
	}

	private AcquireResult acquire(long number) {
		return Commands.join(this.store.acquire(Commands.queue(this.key, new RequestId("engine", number), LEASE)));
	}

	private String query(String sql) throws SQLException {
		return TestDatabase.query(this.postgres, sql);
	}

}
