package io.distlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.NeedsMySql;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.Pause;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The disk of the database is full: the server refuses each change, and still reads. A
 * trigger raises the errors of each server.
 */
@Tag("ci")
class FullDiskTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final int CALLERS = 6;

	private static final int ROUNDS = 10;

	/**
	 * Two for each caller, and about two to end what it asked for, and some more until
	 * the store knows that ends are refused. Repeated for each key they would be more
	 * than twice as many.
	 */
	private static final int MOST_STATEMENTS = 1000;

	/** In this time all that callers asked for would be ended again and again. */
	private static final Duration AFTERWARDS = Duration.ofSeconds(5);

	/** The same on each server. */
	abstract static class OnAServer {

		private final String table = "t" + UUID.randomUUID().toString().replace("-", "");

		private final AtomicInteger prepared = new AtomicInteger();

		abstract String url();

		/** Lets each change of a table fail, as on a full disk. */
		abstract List<String> fill(String name);

		/** Lets changes succeed again. */
		abstract List<String> free(String name);

		/** How many connections the server has. */
		abstract String connections();

		@Test
		void callersLearnTheReasonAndLocksAreGrantedAgain() throws Exception {
			ExecutorService threads = Executors.newCachedThreadPool();
			try (Connection admin = DriverManager.getConnection(url());
					HikariDataSource pool = pool();
					CloseableLockTemplate template = template(pool);
					LogLines log = LogLines.of("io.distlock")) {
				Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> acquires(template, "warm"));
				LockHandle held = template.acquire("held");
				int connections = connections(admin);
				execute(admin, fill(this.table));
				int before = this.prepared.get();
				List<CompletableFuture<Void>> callers = IntStream.range(0, CALLERS)
					.mapToObj((i) -> CompletableFuture.runAsync(() -> isRefused(template, "key" + i + ":"), threads))
					.toList();
				assertThat(callers).allSatisfy((caller) -> assertThat(caller).succeedsWithin(PATIENCE));
				Pause.of(AFTERWARDS);
				assertThat(this.prepared.get() - before).isLessThan(MOST_STATEMENTS);
				assertThat(log.containing("The store refused to grant a lock: The database has no disk space left"))
					.hasSize(1);
				assertThat(log.containing("does not answer")).isEmpty();
				// Two of the store, for the one that served alone so far.
				assertThat(connections(admin)).isLessThanOrEqualTo(connections + 1);
				assertThat(held.isHeld()).isTrue();
				execute(admin, free(this.table));
				held.close();
				Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> acquires(template, "held"));
				assertThat(log.containing("The store grants locks again")).hasSize(1);
			}
			finally {
				threads.shutdown();
				assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
			}
		}

		private static void isRefused(CloseableLockTemplate template, String key) {
			for (int i = 0; i < ROUNDS; i++) {
				String next = key + i;
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> acquires(template, next))
					.isNotInstanceOf(TransientStoreException.class)
					.withMessageContaining("The database has no disk space left for the locks of table ");
				Pause.of(Duration.ofMillis(50));
			}
		}

		private static boolean acquires(CloseableLockTemplate template, String key) {
			template.acquire(LockRequest.of(key).waitAtMost(Duration.ZERO)).close();
			return true;
		}

		private HikariDataSource pool() {
			HikariDataSource pool = new HikariDataSource();
			pool.setDataSource(counted());
			pool.setMaximumPoolSize(4);
			pool.setMinimumIdle(0);
			LockSchema.create(pool, this.table);
			return pool;
		}

		private CloseableLockTemplate template(DataSource source) {
			JdbcLockStoreSettings settings = TestDatabase.settings().table(this.table).notifications(false).build();
			return LockTemplateBuilder.forStore(new JdbcLockStore(source, settings))
				.settings(LockSettings.builder()
					.commandTimeout(settings.commandTimeout())
					.leaseTime(Duration.ofMinutes(10))
					.build())
				.build();
		}

		/** A source of connections that counts their statements. */
		private DataSource counted() {
			return (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
					new Class<?>[] { DataSource.class }, (self, method, arguments) -> switch (method.getName()) {
						case "getConnection" -> counted(DriverManager.getConnection(url()));
						case "isWrapperFor" -> false;
						case "getLoginTimeout" -> 0;
						default -> null;
					});
		}

		private Connection counted(Connection connection) {
			return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (self, method, arguments) -> {
						if (method.getName().equals("prepareStatement")) {
							this.prepared.incrementAndGet();
						}
						try {
							return method.invoke(connection, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

		private int connections(Connection admin) throws SQLException {
			try (Statement statement = admin.createStatement();
					ResultSet count = statement.executeQuery(connections())) {
				count.next();
				return count.getInt(1);
			}
		}

		private static void execute(Connection admin, List<String> statements) throws SQLException {
			for (String each : statements) {
				AbstractLockedTableTests.execute(admin, each);
			}
		}

	}

	@Nested
	class OfPostgres extends OnAServer {

		@Override
		String url() {
			return TestDatabase.postgresUrl();
		}

		@Override
		List<String> fill(String name) {
			return List.of(
					"CREATE FUNCTION full_" + name + "() RETURNS trigger LANGUAGE plpgsql AS"
							+ " $$BEGIN RAISE EXCEPTION 'could not extend file: No space left on device'"
							+ " USING ERRCODE = '53100'; END$$",
					"CREATE TRIGGER no_space BEFORE INSERT OR UPDATE ON " + name
							+ " FOR EACH ROW EXECUTE FUNCTION full_" + name + "()");
		}

		@Override
		List<String> free(String name) {
			return List.of("DROP TRIGGER no_space ON " + name);
		}

		@Override
		String connections() {
			return "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'";
		}

	}

	/** MariaDB and MySQL. */
	abstract static class MySqlLike extends OnAServer {

		/** The words of the server. */
		int code() {
			return 1021;
		}

		@Override
		List<String> fill(String name) {
			return List.of(raise("insert", name), raise("update", name));
		}

		private String raise(String event, String name) {
			return "CREATE TRIGGER full_" + event + "_" + name + " BEFORE " + event + " ON " + name
					+ " FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = " + code()
					+ ", MESSAGE_TEXT = 'No space left on device'";
		}

		@Override
		List<String> free(String name) {
			return List.of("DROP TRIGGER full_insert_" + name, "DROP TRIGGER full_update_" + name);
		}

		@Override
		String connections() {
			return "SELECT count(*) FROM information_schema.PROCESSLIST WHERE USER = 'root'";
		}

	}

	@Nested
	@NeedsMariaDb
	class OfMariaDb extends MySqlLike {

		@Override
		String url() {
			return TestDatabase.mariaDbUrl();
		}

	}

	@Nested
	@NeedsMySql
	class OfMySql extends MySqlLike {

		@Override
		String url() {
			return TestDatabase.mySqlUrl();
		}

	}

	/** The words of InnoDB. */
	@Nested
	@NeedsMySql
	class OfMySqlWithAFullTable extends MySqlLike {

		@Override
		String url() {
			return TestDatabase.mySqlUrl();
		}

		@Override
		int code() {
			return 1114;
		}

	}

}
