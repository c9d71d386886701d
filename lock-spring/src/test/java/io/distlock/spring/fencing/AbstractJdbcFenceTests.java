package io.distlock.spring.fencing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.StaleFencingTokenException;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

abstract class AbstractJdbcFenceTests {

	private static final long TOKEN = 1_795_225_522_033_810L;

	private final String resource = "stock:" + UUID.randomUUID();

	private JdbcTemplate jdbc;

	TransactionTemplate transaction;

	private JdbcFence fence;

	protected abstract DataSource dataSource() throws Exception;

	/** The statements for this database, in the package. */
	protected abstract String script();

	@BeforeEach
	void prepare() throws Exception {
		DataSource dataSource = dataSource();
		new ResourceDatabasePopulator(new ClassPathResource(script(), JdbcFence.class)).execute(dataSource);
		this.jdbc = new JdbcTemplate(dataSource);
		this.jdbc.execute("CREATE TABLE IF NOT EXISTS stock (item VARCHAR(100) PRIMARY KEY, amount BIGINT)");
		this.jdbc.update("INSERT INTO stock VALUES (?, 0)", this.resource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.fence = new JdbcFence(this.jdbc);
	}

	@Test
	void raiseWhenTokenIsLowerThenRefusedAndRolledBack() {
		write(TOKEN);
		write(TOKEN);
		write(TOKEN + 1);
		assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> write(TOKEN))
			.satisfies((ex) -> assertThat(ex.resource()).isEqualTo(this.resource))
			.satisfies((ex) -> assertThat(ex.token()).isEqualTo(TOKEN))
			.satisfies((ex) -> assertThat(ex.highest()).isEqualTo(TOKEN + 1));
		assertThat(amount()).isEqualTo(TOKEN + 1);
		assertThat(highest()).isEqualTo(TOKEN + 1);
	}

	@Test
	void raiseWhenRolledBackThenTokenIsNotRemembered() {
		write(TOKEN);
		this.transaction.executeWithoutResult((status) -> {
			this.fence.raise(this.resource, TOKEN + 5);
			status.setRollbackOnly();
		});
		assertThat(highest()).isEqualTo(TOKEN);
	}

	@Test
	void raiseWhenAnEarlierHolderIsInsideThenTheLaterOneWaitsForItsCommit() throws Exception {
		write(TOKEN);
		CountDownLatch raised = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		FutureTask<Void> earlier = TestThreads.inThread(() -> {
			this.transaction.executeWithoutResult((status) -> {
				this.fence.raise(this.resource, TOKEN + 1);
				raised.countDown();
				await(go);
				set(TOKEN + 1);
			});
			return null;
		});
		await(raised);
		FutureTask<Void> later = TestThreads.inThread(() -> {
			write(TOKEN + 2);
			return null;
		});
		assertThatExceptionOfType(java.util.concurrent.TimeoutException.class)
			.isThrownBy(() -> later.get(300, TimeUnit.MILLISECONDS));
		go.countDown();
		earlier.get(60, TimeUnit.SECONDS);
		later.get(60, TimeUnit.SECONDS);
		assertThat(amount()).isEqualTo(TOKEN + 2);
	}

	@Test
	void raiseWhenALaterHolderIsInsideThenTheEarlierOneIsRefusedAfterItsCommit() throws Exception {
		CountDownLatch raised = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		FutureTask<Void> later = TestThreads.inThread(() -> {
			this.transaction.executeWithoutResult((status) -> {
				this.fence.raise(this.resource, TOKEN + 2);
				raised.countDown();
				await(go);
				set(TOKEN + 2);
			});
			return null;
		});
		await(raised);
		FutureTask<Boolean> earlier = TestThreads.inThread(() -> isWritten(TOKEN + 1));
		assertThatExceptionOfType(java.util.concurrent.TimeoutException.class)
			.isThrownBy(() -> earlier.get(300, TimeUnit.MILLISECONDS));
		go.countDown();
		later.get(60, TimeUnit.SECONDS);
		assertThat(earlier.get(60, TimeUnit.SECONDS)).isFalse();
		assertThat(amount()).isEqualTo(TOKEN + 2);
	}

	/** Of the same holder: that is no reason to refuse it. */
	@Test
	void raiseWhenTheSameTokenIsInsertedMeanwhileThenNotRefused() {
		JdbcTemplate late = new JdbcTemplate(this.jdbc.getDataSource()) {

			private boolean first = true;

			@Override
			public int update(String sql, Object... values) {
				int changed = super.update(sql, values);
				if (this.first) {
					this.first = false;
					insertInAnotherConnection();
				}
				return changed;
			}

		};
		this.transaction.executeWithoutResult((status) -> new JdbcFence(late).raise(this.resource, TOKEN));
		assertThat(highest()).isEqualTo(TOKEN);
	}

	private void insertInAnotherConnection() {
		FutureTask<Integer> insert = TestThreads.inThread(
				() -> this.jdbc.update("INSERT INTO lock_fence (resource, token) VALUES (?, ?)", this.resource, TOKEN));
		try {
			assertThat(insert.get(30, TimeUnit.SECONDS)).isOne();
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	/** Also the first of them all, which inserts the row, races. */
	@Test
	void raiseWhenManyRaceThenNoneOverwritesALaterOne() throws Exception {
		List<Long> tokens = new ArrayList<>();
		for (long i = 1; i <= 200; i++) {
			tokens.add(TOKEN + i);
		}
		Collections.shuffle(tokens, new Random(11));
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Future<Boolean>> writes = tokens.stream()
				.map((token) -> threads.submit(() -> isWritten(token)))
				.toList();
			int refused = 0;
			for (Future<Boolean> write : writes) {
				refused += write.get(60, TimeUnit.SECONDS) ? 0 : 1;
			}
			assertThat(refused).isPositive();
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(amount()).isEqualTo(TOKEN + 200);
		assertThat(highest()).isEqualTo(TOKEN + 200);
	}

	@Test
	void raiseWhenThereIsNoTransactionThenRefused() {
		assertThatIllegalStateException().isThrownBy(() -> this.fence.raise(this.resource, TOKEN))
			.withMessageContaining("outside of a transaction");
	}

	@Test
	void raiseWhenThereIsNoTokenThenRefused() {
		for (long token : new long[] { 0, -1 }) {
			assertThatIllegalArgumentException().isThrownBy(() -> write(token))
				.withMessageContaining("was the method called without its lock?");
		}
	}

	@Test
	void createWhenTableIsNoNameThenRefused() {
		for (String table : List.of("", "a b", "lock_fence; DROP TABLE stock", "a.b.c", "1a")) {
			assertThatIllegalArgumentException().isThrownBy(() -> new JdbcFence(this.jdbc, table));
		}
	}

	/** What needs no table of ours. */
	@Test
	void updateWhenOwnColumnHasAHigherTokenThenNoRowChanges() {
		this.jdbc.execute(
				"CREATE TABLE IF NOT EXISTS price (item VARCHAR(100) PRIMARY KEY, cents INT, fencing_token BIGINT)");
		this.jdbc.update("INSERT INTO price VALUES (?, 0, 0)", this.resource);
		String update = "UPDATE price SET cents = ?, fencing_token = ? WHERE item = ? AND fencing_token <= ?";
		assertThat(this.jdbc.update(update, 2, TOKEN + 1, this.resource, TOKEN + 1)).isOne();
		assertThat(this.jdbc.update(update, 1, TOKEN, this.resource, TOKEN)).isZero();
		assertThat(this.jdbc.queryForObject("SELECT cents FROM price WHERE item = ?", Integer.class, this.resource))
			.isEqualTo(2);
	}

	private boolean isWritten(long token) {
		try {
			write(token);
			return true;
		}
		catch (StaleFencingTokenException ex) {
			assertThat(ex.highest()).isGreaterThan(token);
			return false;
		}
	}

	/** A transaction of somebody who had the lock with this token. */
	void write(long token) {
		this.transaction.executeWithoutResult((status) -> {
			this.fence.raise(this.resource, token);
			set(token);
		});
	}

	private void set(long amount) {
		this.jdbc.update("UPDATE stock SET amount = ? WHERE item = ?", amount, this.resource);
	}

	private long amount() {
		return this.jdbc.queryForObject("SELECT amount FROM stock WHERE item = ?", Long.class, this.resource);
	}

	private long highest() {
		return this.jdbc.queryForObject("SELECT token FROM lock_fence WHERE resource = ?", Long.class, this.resource);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
