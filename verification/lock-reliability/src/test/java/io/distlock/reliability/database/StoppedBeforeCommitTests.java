package io.distlock.reliability.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.PostgresServer;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.LockSchema;
import io.distlock.test.ChildJvm;
import io.distlock.test.Pause;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A process is stopped for longer than its lease lasts, right before its commit: either
 * the commit fails, or it is through before anybody else has the lock. In the full pass;
 * {@code CommitCheckTests} of lock-jdbc has the same without processes in every build.
 */
@Tag("full")
class StoppedBeforeCommitTests {

	/** Until the lease is over for others, and some more. */
	private static final Duration STOPPED = StoppedSeller.LEASE.plusSeconds(1);

	private static final Duration LEASE = Duration.ofSeconds(15);

	private static final Duration TIMEOUT = LEASE.dividedBy(3);

	private static final Duration LIMIT = Duration.ofMinutes(3);

	@TempDir
	@SuppressWarnings("NullAway")
	private Path directory;

	@Test
	void onPostgres() throws Exception {
		try (PostgresServer server = PostgresServer.start()) {
			sellWhileStopped(server.url());
		}
	}

	/** Faults of MariaDB. */
	@Nested
	@NeedsMariaDb
	class OnMariaDb {

		@Test
		void onMariaDb() throws Exception {
			try (MariaDbServer server = MariaDbServer.start()) {
				sellWhileStopped(server.url("mariadb"));
			}
		}

	}

	private void sellWhileStopped(String url) throws Exception {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(url);
			LockSchema.create(pool, "distributed_lock");
			try (Connection connection = DriverManager.getConnection(url)) {
				StoppedSeller.execute(connection, "CREATE TABLE sale (token BIGINT)");
			}
			try (CloseableLockTemplate other = LockTemplateBuilder
				.forStore(new JdbcLockStore(pool, JdbcLockStoreSettings.builder().commandTimeout(TIMEOUT).build()))
				.settings(LockSettings.builder().leaseTime(LEASE).commandTimeout(TIMEOUT).build())
				.build(); LockHandle unrelated = other.acquire(LockRequest.of("unrelated"))) {
				stopAfterTheCheck(url, other, unrelated);
				stopBeforeTheCheck(url, other);
				unrelated.ensureHeld();
			}
		}
	}

	private void stopAfterTheCheck(String url, CloseableLockTemplate other, LockHandle unrelated) throws Exception {
		Path go = this.directory.resolve("after");
		try (ChildJvm seller = seller(url, "after", go)) {
			await(seller, "KEEPS ");
			seller.signal("STOP");
			Duration left = unrelated.remaining();
			Pause.of(STOPPED);
			assertThatThrownBy(() -> other.acquire(LockRequest.of(StoppedSeller.KEY).waitAtMost(Duration.ofSeconds(1))))
				.isInstanceOfAny(LockBusyException.class, LockStoreException.class);
			try (LockHandle free = other.acquire(LockRequest.of("free"))) {
				assertThat(free.isHeld()).isTrue();
			}
			assertThat(sales(url)).isZero();
			// It is renewed while the row is kept.
			Awaitility.await().atMost(LIMIT).until(() -> unrelated.remaining().compareTo(left.minus(STOPPED)) > 0);
			Files.createFile(go);
			seller.signal("CONT");
			try (LockHandle lock = StoppedSeller.acquire(other)) {
				assertThat(sales(url)).as("committed before token %s", lock.fencingToken()).isEqualTo(1);
			}
			await(seller, "COMMITTED");
		}
	}

	private void stopBeforeTheCheck(String url, CloseableLockTemplate other) throws Exception {
		Path go = this.directory.resolve("before");
		try (ChildJvm seller = seller(url, "before", go)) {
			await(seller, "HOLDS ");
			seller.signal("STOP");
			try (LockHandle lock = StoppedSeller.acquire(other)) {
				Files.createFile(go);
				seller.signal("CONT");
				await(seller, "ROLLED BACK");
				assertThat(lock.isHeld()).isTrue();
			}
			assertThat(sales(url)).isEqualTo(1);
		}
	}

	private static ChildJvm seller(String url, String where, Path go) {
		return ChildJvm.of(StoppedSeller.class).args(url, where, go.toString()).start();
	}

	private static void await(ChildJvm seller, String text) {
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(
					() -> assertThat(seller.lines()).as(seller.output()).anyMatch((line) -> line.startsWith(text)));
	}

	private static int sales(String url) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery("SELECT count(*) FROM sale")) {
			result.next();
			return result.getInt(1);
		}
	}

}
