package io.distlock.reliability.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.databases.PostgresServer;
import io.distlock.databases.Wire;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.LockSchema;
import io.distlock.reliability.Pass;
import io.distlock.test.Pause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What thousands of locks cost that are held and otherwise left alone. */
class HeldLocksTests {

	private static final int LOCKS = Pass.current().of(400, 10_000);

	private static final int BLOCK = 40;

	/** Renewed three times as often; a third is also how long a cold start may take. */
	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration HELD = Duration.ofSeconds(Pass.current().of(15, 90));

	@Test
	void renewalsOfManyLocksTakeFewStatements() throws Exception {
		try (PostgresServer server = PostgresServer.start();
				Wire wire = new Wire(server.port());
				HikariDataSource pool = pool(PostgresServer.url(wire.port()))) {
			try (HikariDataSource closed = pool(server.url())) {
				LockSchema.create(closed, "distributed_lock");
			}
			LockSettings settings = LockSettings.builder().leaseTime(LEASE).commandTimeout(LEASE.dividedBy(3)).build();
			JdbcLockStoreSettings store = JdbcLockStoreSettings.builder().commandTimeout(LEASE.dividedBy(3)).build();
			try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new JdbcLockStore(pool, store))
				.settings(settings)
				.build()) {
				List<LockHandle> held = hold(template);
				long before = wire.turns();
				long beginning = System.nanoTime();
				Pause.of(HELD);
				double seconds = (System.nanoTime() - beginning) / 1e9;
				long turns = wire.turns() - before;
				int connections = connections(server);
				System.out.printf("%d locks held for %.0f s: %.1f statements a second, %d connections%n", LOCKS,
						seconds, turns / seconds, connections);
				assertThat(held).allMatch(LockHandle::isHeld);
				assertThat(connections).isLessThanOrEqualTo(3);
				// One by one, the short pass would take at least a statement per lock.
				assertThat(turns).isBetween(1L, (long) Pass.current().of(LOCKS * 3 / 4, 900));
				held.stream().map(LockHandle::closeAsync).toList().forEach(HeldLocksTests::join);
			}
		}
	}

	/** A few at a time: this is not about acquisitions. */
	private static List<LockHandle> hold(CloseableLockTemplate template) {
		return IntStream.range(0, LOCKS / BLOCK)
			.boxed()
			.flatMap((block) -> IntStream.range(0, BLOCK)
				.mapToObj((i) -> template
					.acquireAsync(LockRequest.of("held:" + block + ":" + i).waitAtMost(Duration.ofSeconds(20)))
					.toCompletableFuture())
				.toList()
				.stream()
				.map(CompletableFuture::join))
			.toList();
	}

	private static void join(CompletionStage<?> stage) {
		stage.toCompletableFuture().join();
	}

	/** Without this one; the pool of the application has none. */
	private static int connections(PostgresServer server) throws Exception {
		try (Connection connection = DriverManager.getConnection(server.url());
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
						+ " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")) {
			result.next();
			return result.getInt(1);
		}
	}

	private static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(1);
		pool.setMinimumIdle(0);
		pool.setIdleTimeout(10_000);
		return pool;
	}

}
