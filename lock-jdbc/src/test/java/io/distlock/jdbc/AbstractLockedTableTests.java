package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.Pause;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Statements of locks wait for long at the server, for instance because a migration or a
 * backup has locked the table. The server itself ends them, so that they never use up its
 * connections.
 */
abstract class AbstractLockedTableTests {

	static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int CALLERS = 6;

	/**
	 * Each caller fails so often while statements wait. If the server kept the
	 * statements, so many would be left.
	 */
	private static final int ROUNDS = 5;

	/** Two connections of the store, and two whose end the server has not noticed yet. */
	private static final int MOST = 4;

	private final String table = "t" + UUID.randomUUID().toString().replace("-", "");

	private final Queue<String> failures = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean over = new AtomicBoolean();

	/** The database's address, without a pooler. */
	abstract String url();

	/** The database as an application has it. */
	abstract DataSource source();

	/**
	 * The statement that locks a table, in a transaction that another statement has
	 * begun.
	 */
	abstract String lock(String name);

	/** Whether a statement on the table is under way at the server, of {@code ?}. */
	abstract String underWay();

	/** What a caller reads. */
	abstract String reason();

	/** How long a caller waits for an answer. */
	Duration timeout() {
		return Duration.ofMillis(800);
	}

	@Test
	void statementsThatWaitEndAtTheServer() throws Exception {
		LockSchema.create(source(), this.table);
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder()
			.table(this.table)
			.commandTimeout(timeout())
			.build();
		ExecutorService threads = Executors.newCachedThreadPool();
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new JdbcLockStore(source(), settings))
			.settings(LockSettings.builder().commandTimeout(timeout()).build())
			.build(); Connection admin = DriverManager.getConnection(url())) {
			Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> acquires(template, "warm"));
			List<CompletableFuture<Void>> callers;
			try (LogLines log = LogLines.of("io.distlock"); Connection blocker = DriverManager.getConnection(url())) {
				block(blocker, this.table);
				callers = IntStream.range(0, CALLERS)
					.mapToObj((i) -> CompletableFuture.runAsync(() -> tryUntilOver(template, "key" + i), threads))
					.toList();
				Awaitility.await()
					.atMost(PATIENCE)
					.until(() -> IntStream.range(0, CALLERS).allMatch((i) -> failures("key" + i) >= ROUNDS));
				// A server that kept what clients have given up would end none of it
				// so soon.
				Connection observer = observer(admin, blocker);
				Awaitility.await().atMost(PATIENCE).until(() -> statementsUnderWay(observer) <= MOST);
				Awaitility.await("the reason is told")
					.atMost(PATIENCE)
					.until(() -> this.failures.stream().anyMatch((failure) -> failure.contains(reason())));
				assertThat(log.containing("The store does not answer: ")).hasSize(1);
				this.over.set(true);
				unblock(blocker, this.table);
			}
			assertThat(callers).allSatisfy((caller) -> assertThat(caller).succeedsWithin(PATIENCE));
			Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> acquires(template, "after"));
		}
		finally {
			threads.shutdown();
			assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		}
	}

	/**
	 * Who asks the server what is under way. In the blocker's transaction a server may
	 * repeat its first answer.
	 */
	Connection observer(Connection admin, Connection blocker) {
		return admin;
	}

	void block(Connection blocker, String name) throws SQLException {
		blocker.setAutoCommit(false);
		execute(blocker, lock(name));
	}

	void unblock(Connection blocker, String name) throws SQLException {
		blocker.rollback();
	}

	static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private void tryUntilOver(CloseableLockTemplate template, String key) {
		while (!this.over.get()) {
			try {
				acquires(template, key);
			}
			catch (LockStoreException ex) {
				this.failures.add(key + ": " + ex.getMessage());
				// Of more commands than two connections can execute each may begin so
				// late that its caller has given up when the server says why.
				Pause.of(timeout());
			}
		}
	}

	private long failures(String key) {
		return this.failures.stream().filter((failure) -> failure.startsWith(key + ": ")).count();
	}

	private static boolean acquires(CloseableLockTemplate template, String key) {
		template.acquire(LockRequest.of(key).waitAtMost(Duration.ZERO)).close();
		return true;
	}

	private int statementsUnderWay(Connection admin) throws SQLException {
		Pause.of(Duration.ofMillis(50));
		try (Statement statement = admin.createStatement();
				ResultSet count = statement.executeQuery(underWay().replace("?", "'%" + this.table + "%'"))) {
			count.next();
			return count.getInt(1);
		}
	}

	/** A pool that the store copies. */
	static HikariDataSource pool(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(4);
		config.setMinimumIdle(0);
		config.setInitializationFailTimeout(-1);
		return new HikariDataSource(config);
	}

	/** A pool that the store cannot copy. */
	static DataSource foreign(HikariDataSource pool) {
		return TestDatabase.hidden(pool);
	}

}
