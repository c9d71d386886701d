package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.databases.DatabaseServer;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.NeedsMySql;
import io.distlock.databases.PostgresServer;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.leader.LeaderElection;
import io.distlock.test.Pause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a server counts while somebody has waited for long and nobody notifies: one who
 * waits for a lock, or a candidate of an election whose leader stays.
 */
@Tag("ci")
class QuietMinuteTests {

	/** From now on a waiter pauses for as long as it ever does. */
	private static final Duration LONG = Duration.ofSeconds(31);

	/**
	 * Ends before the pool of who holds the lock closes its connections, which are idle
	 * for a minute then. PostgreSQL counts the last transactions of a connection when it
	 * ends.
	 */
	private static final Duration MEASURED = Duration.ofSeconds(25);

	/** With that by which the pool tests each connection before it lends it. */
	private static final double MOST_PER_SECOND = 2;

	/** Who holds what others wait for asks for nothing meanwhile. */
	private static final Duration LEASE = Duration.ofMinutes(30);

	/** The same on each server. */
	@Execution(ExecutionMode.CONCURRENT)
	abstract static class OnAServer {

		private final List<HikariDataSource> pools = new ArrayList<>();

		abstract DatabaseServer server();

		/** The statements that the server has executed so far, in its last column. */
		abstract String count();

		@Test
		void waiterCostsFewStatements() throws Exception {
			try (DatabaseServer server = server();
					CloseableLockTemplate holder = template(server);
					CloseableLockTemplate other = template(server);
					LockHandle held = holder.acquire("waited")) {
				CompletableFuture<LockHandle> waiter = other
					.acquireAsync(LockRequest.of("waited").waitAtMost(Duration.ofHours(1)))
					.toCompletableFuture();
				assertThat(perSecond(server)).isLessThanOrEqualTo(MOST_PER_SECOND);
				assertThat(held.isHeld()).isTrue();
				assertThat(waiter).isNotDone();
				waiter.cancel(true);
			}
		}

		@Test
		void candidateCostsFewStatements() throws Exception {
			try (DatabaseServer server = server();
					CloseableLockTemplate holder = template(server);
					CloseableLockTemplate other = template(server);
					LockHandle held = holder.acquire("leader:elected");
					LeaderElection candidate = LeaderElection.of(other, "elected")) {
				candidate.start();
				assertThat(perSecond(server)).isLessThanOrEqualTo(MOST_PER_SECOND);
				assertThat(held.isHeld()).isTrue();
				assertThat(candidate.isLeader()).isFalse();
			}
		}

		@AfterEach
		void close() {
			this.pools.forEach(HikariDataSource::close);
		}

		private CloseableLockTemplate template(DatabaseServer server) {
			HikariDataSource pool = AbstractLockedTableTests.pool(server.url());
			this.pools.add(pool);
			LockSchema.create(pool, "distributed_lock");
			JdbcLockStoreSettings settings = TestDatabase.settings().notifications(false).build();
			return LockTemplateBuilder.forStore(new JdbcLockStore(pool, settings))
				.settings(LockSettings.builder().commandTimeout(settings.commandTimeout()).leaseTime(LEASE).build())
				.build();
		}

		private double perSecond(DatabaseServer server) throws SQLException {
			try (Connection admin = DriverManager.getConnection(server.url())) {
				Pause.of(LONG);
				long since = System.nanoTime();
				long before = count(admin);
				Pause.of(MEASURED);
				// Each count is a statement too.
				long counted = count(admin) - before - 1;
				return counted * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - since);
			}
		}

		private long count(Connection admin) throws SQLException {
			try (Statement statement = admin.createStatement(); ResultSet row = statement.executeQuery(count())) {
				row.next();
				return row.getLong(row.getMetaData().getColumnCount());
			}
		}

	}

	@Nested
	class OfPostgres extends OnAServer {

		@Override
		DatabaseServer server() {
			return PostgresServer.start("autovacuum=off");
		}

		@Override
		String count() {
			return "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";
		}

	}

	@Nested
	@NeedsMariaDb
	class OfMariaDb extends OnAServer {

		@Override
		DatabaseServer server() {
			return MariaDbServer.start();
		}

		@Override
		String count() {
			return "SHOW GLOBAL STATUS LIKE 'Questions'";
		}

	}

	@Nested
	@NeedsMySql
	class OfMySql extends OnAServer {

		@Override
		DatabaseServer server() {
			return MySqlServer.start();
		}

		@Override
		String count() {
			return "SHOW GLOBAL STATUS LIKE 'Questions'";
		}

	}

}
