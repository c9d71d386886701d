package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.test.Pause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a transaction has made sure of lasts until it ends, also if the process stops and
 * its lease is over long before.
 */
abstract class AbstractCommitCheckTests {

	/** Who waited for a row that is kept would do so for as long. */
	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(20);

	private static final Duration PROMPTLY = Duration.ofSeconds(60);

	private static final Duration SHORT = Duration.ofMillis(300);

	private final String key = "stock:" + UUID.randomUUID();

	private final List<Connection> transactions = new CopyOnWriteArrayList<>();

	private final JdbcLockStore one = start("one");

	private final JdbcLockStore two = start("two");

	abstract DataSource dataSource();

	/** How many sessions of the database wait for a row. */
	abstract int waiting() throws SQLException;

	private JdbcLockStore start(String engine) {
		return start(engine, COMMAND_TIMEOUT);
	}

	private JdbcLockStore start(String engine, Duration commandTimeout) {
		return start(engine, JdbcLockStoreSettings.builder().commandTimeout(commandTimeout).build());
	}

	private JdbcLockStore start(String engine, JdbcLockStoreSettings settings) {
		JdbcLockStore store = new JdbcLockStore(dataSource(), settings);
		store.start(engine, new Nobody());
		return store;
	}

	@AfterEach
	void stop() throws SQLException {
		for (Connection transaction : this.transactions) {
			// Of a test that failed.
			if (!transaction.isClosed()) {
				transaction.rollback();
				transaction.close();
			}
		}
		this.one.stop();
		this.two.stop();
	}

	private static CompletionStage<AcquireResult> ask(JdbcLockStore store, String engine, long number, String key,
			Duration lease) {
		return store.acquire(Commands.acquire(key, new RequestId(engine, number), lease));
	}

	private static long hold(JdbcLockStore store, String engine, long number, String key, Duration lease) {
		for (long i = 0;; i++) {
			AcquireResult result = Commands.join(ask(store, engine, number + i, key, lease));
			if (result instanceof AcquireResult.Granted granted) {
				return granted.grant().fencingToken();
			}
			assertThat(i).isLessThan(1000);
			Pause.of(Duration.ofMillis(5));
		}
	}

	private Connection transaction() throws SQLException {
		Connection connection = dataSource().getConnection();
		this.transactions.add(connection);
		connection.setAutoCommit(false);
		return connection;
	}

	private static void commit(Connection connection) throws SQLException {
		connection.commit();
		connection.setAutoCommit(true);
		connection.close();
	}

	@Test
	void keepWhenHeldThenNoneIsLostAndNobodyTakesItBeforeTheCommit() throws Exception {
		long token = hold(this.one, "one", 1, this.key, SHORT);
		Connection transaction = transaction();
		assertThat(this.one.lockRows(transaction, Map.of(this.key, token))).isEmpty();
		// The process stops here; its lease ends, and another process wants the lock.
		Pause.of(SHORT.plusMillis(200));
		CompletableFuture<AcquireResult> takeover = ask(this.two, "two", 1, this.key, Duration.ofSeconds(5))
			.toCompletableFuture();
		Pause.of(Duration.ofMillis(300));
		assertThat(takeover).as("before the commit").isNotDone();
		commit(transaction);
		Commands.join(takeover.handle((result, failure) -> true));
		assertThat(hold(this.two, "two", 2, this.key, Duration.ofSeconds(5))).isGreaterThan(token);
	}

	/**
	 * What another process does with these rows occupies neither its own threads, which
	 * other locks need, nor sessions of the database.
	 */
	@Test
	void keepWhenNotCommittedForLongThenOtherLocksAreServed() throws Exception {
		Map<String, Long> tokens = new LinkedHashMap<>();
		IntStream.range(0, 6)
			.mapToObj((i) -> this.key + "kept" + i)
			.forEach((each) -> tokens.put(each, hold(this.one, "one", 1, each, SHORT)));
		JdbcLockStore other = start("other");
		Duration lease = Duration.ofSeconds(60);
		Connection transaction = transaction();
		assertThat(this.one.lockRows(transaction, tokens)).isEmpty();
		Pause.of(SHORT.plusMillis(200));
		hold(other, "other", 1, this.key + "unrelated", lease);
		for (int round = 1; round <= 8; round++) {
			for (String each : tokens.keySet()) {
				ask(other, "other", round, each, Duration.ofSeconds(5));
			}
			Pause.of(Duration.ofMillis(200));
			assertThat(other.renew(new RenewCommand(this.key + "unrelated", new RequestId("other", 1), lease, 0)))
				.as("renewal in round %s", round)
				.succeedsWithin(PROMPTLY)
				.isInstanceOf(RenewResult.Renewed.class);
			assertThat(ask(other, "other", round, this.key + "free" + round, Duration.ofSeconds(5)))
				.as("free lock in round %s", round)
				.succeedsWithin(PROMPTLY)
				.isInstanceOf(AcquireResult.Granted.class);
		}
		assertThat(waiting()).isLessThanOrEqualTo(TestDatabase.SETTINGS.connections());
		other.stop();
		commit(transaction);
	}

	/** Renewals go together; a row that is kept delays its own one only. */
	@Test
	void keepWhenRenewalsGoTogetherThenTheOthersAreAnswered() throws Exception {
		List<String> keys = IntStream.range(0, 40).mapToObj((i) -> this.key + "renewed" + (10 + i)).toList();
		Map<String, Long> tokens = new LinkedHashMap<>();
		keys.forEach((each) -> tokens.put(each, hold(this.one, "one", 1, each, Duration.ofSeconds(30))));
		String kept = keys.get(5);
		Connection transaction = transaction();
		assertThat(this.one.lockRows(transaction, Map.of(kept, tokens.getOrDefault(kept, 0L)))).isEmpty();
		Map<String, CompletableFuture<RenewResult>> renewals = new LinkedHashMap<>();
		keys.forEach((each) -> renewals.put(each,
				this.one.renew(new RenewCommand(each, new RequestId("one", 1), Duration.ofSeconds(40), 0))
					.toCompletableFuture()));
		CompletableFuture<RenewResult> own = Objects.requireNonNull(renewals.remove(kept));
		renewals.values()
			.forEach((renewal) -> assertThat(renewal).succeedsWithin(PROMPTLY).isInstanceOf(RenewResult.Renewed.class));
		assertThat(own).as("before the commit").isNotDone();
		commit(transaction);
		assertThat(Commands.join(own)).isInstanceOf(RenewResult.Renewed.class);
	}

	@Test
	void keepWhenTakenOverThenLost() throws Exception {
		long token = hold(this.one, "one", 1, this.key, SHORT);
		long later = hold(this.two, "two", 1, this.key, Duration.ofSeconds(5));
		Connection transaction = transaction();
		assertThat(this.one.lockRows(transaction, Map.of(this.key, token))).containsExactly(this.key);
		assertThat(this.two.lockRows(transaction, Map.of(this.key, later))).isEmpty();
		commit(transaction);
	}

	@Test
	void keepWhenTheSameProcessHoldsItAgainThenTheFormerHoldIsLost() throws Exception {
		long token = hold(this.one, "one", 1, this.key, SHORT);
		Commands.join(this.one.finish(this.key, new RequestId("one", 1), Duration.ZERO));
		long later = hold(this.one, "one", 2, this.key, Duration.ofSeconds(5));
		Connection transaction = transaction();
		assertThat(this.one.lockRows(transaction, Map.of(this.key, token))).containsExactly(this.key);
		assertThat(this.one.lockRows(transaction, Map.of(this.key, later))).isEmpty();
		commit(transaction);
	}

	@Test
	void keepWhenNeverHeldThenLost() throws Exception {
		Connection transaction = transaction();
		assertThat(this.one.lockRows(transaction, Map.of(this.key, 1L))).containsExactly(this.key);
		commit(transaction);
	}

	@Test
	void keepWhenTheDatabaseRefusesThenSaysWhichLockAndWhy() throws Exception {
		Connection transaction = transaction();
		transaction.close();
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.one.lockRows(transaction, Map.of(this.key, 1L)))
			.withMessageMatching("The commit check of lock '" + this.key
					+ "' in table distributed_lock( of jdbc:.*)? failed: (?s:.*)");
	}

	/** The connection is the caller's, and may have no limit at all. */
	void keepEndsWithinTheCommandTimeoutAlthoughTheRowIsNotFreed() throws Exception {
		JdbcLockStore other = start("other", Duration.ofSeconds(5));
		long token = hold(other, "other", 1, this.key, Duration.ofSeconds(30));
		Connection stuck = transaction();
		try (Statement statement = stuck.createStatement()) {
			statement.execute("SELECT token FROM distributed_lock WHERE lock_key = '" + this.key + "' FOR UPDATE");
		}
		Connection transaction = transaction();
		CompletableFuture<?> kept = CompletableFuture
			.supplyAsync(() -> other.lockRows(transaction, Map.of(this.key, token)));
		assertThat(kept).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockStoreException.class)
			.withMessageMatching("The commit check of lock '" + this.key
					+ "' in table distributed_lock( of jdbc:.*)? failed: (?s:.*)");
		transaction.rollback();
		stuck.rollback();
		commit(transaction);
		commit(stuck);
		other.stop();
	}

	/** Transactions lock several rows in the same order, so none waits in a circle. */
	@Test
	void keepWhenManyTransactionsKeepTheSameLocksThenAllGoThrough() throws Exception {
		List<String> keys = List.of(this.key + "a", this.key + "b", this.key + "c");
		Map<String, Long> tokens = new LinkedHashMap<>();
		Map<String, Long> reversed = new LinkedHashMap<>();
		keys.forEach((each) -> tokens.put(each, hold(this.one, "one", 1, each, Duration.ofSeconds(30))));
		keys.stream().sorted(Comparator.reverseOrder()).forEach((each) -> reversed.put(each, tokens.get(each)));
		List<CompletableFuture<Boolean>> all = IntStream.range(0, 8)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> keptTenTimes((i % 2 == 0) ? tokens : reversed)))
			.toList();
		assertThat(all).allMatch(Commands::join);
	}

	private boolean keptTenTimes(Map<String, Long> tokens) {
		try {
			for (int i = 0; i < 10; i++) {
				Connection transaction = transaction();
				boolean kept = this.one.lockRows(transaction, tokens).isEmpty();
				commit(transaction);
				if (!kept) {
					return false;
				}
			}
			return true;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
