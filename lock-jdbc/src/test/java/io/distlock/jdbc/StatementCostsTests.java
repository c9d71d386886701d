package io.distlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.PostgresServer;
import io.distlock.engine.LockTemplateBuilder;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What an attempt costs the server, beside its time. */
@Tag("ci")
class StatementCostsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final int CALLS = 200;

	/** The server needs some itself, and the first attempt may read. */
	private static final int OTHERS = 20;

	private final String prefix = "cost:" + UUID.randomUUID() + ":";

	/** A server that runs out of them stops until it has cleaned up. */
	@Test
	void busyLockCostsPostgresNoTransactionIds() throws SQLException {
		try (PostgresServer server = PostgresServer.start();
				HikariDataSource pool = AbstractLockedTableTests.pool(server.url())) {
			LockSchema.create(pool, "distributed_lock");
			PGSimpleDataSource admin = new PGSimpleDataSource();
			admin.setUrl(server.url());
			try (CloseableLockTemplate holder = template(pool);
					CloseableLockTemplate other = template(pool);
					LockHandle held = holder.acquire(this.prefix)) {
				busy(other);
				long before = ids(admin);
				for (int i = 0; i < CALLS; i++) {
					busy(other);
				}
				assertThat(ids(admin) - before).isLessThan(OTHERS);
				assertThat(held.isHeld()).isTrue();
			}
		}
	}

	private void busy(CloseableLockTemplate template) {
		assertThat(template.tryAcquire(LockRequest.of(this.prefix).waitAtMost(Duration.ZERO))).isEmpty();
	}

	private static long ids(PGSimpleDataSource admin) throws SQLException {
		return Long.parseLong(TestDatabase.query(admin, "SELECT txid_current()"));
	}

	private static CloseableLockTemplate template(HikariDataSource pool) {
		JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder().commandTimeout(TIMEOUT).build();
		return LockTemplateBuilder.forStore(new JdbcLockStore(pool, settings))
			// Too long for a renewal, which costs one.
			.settings(LockSettings.builder().leaseTime(Duration.ofMinutes(30)).commandTimeout(TIMEOUT).build())
			.build();
	}

	@Nested
	@NeedsMariaDb
	class OfMariaDb {

		/** The driver logs each error that the server reports. */
		@Test
		void keysThatAnotherProcessHasUsedProvokeNoError() {
			try (HikariDataSource pool = AbstractLockedTableTests.pool(TestDatabase.mariaDbUrl())) {
				LockSchema.create(pool, "distributed_lock");
				try (CloseableLockTemplate first = template(pool);
						CloseableLockTemplate second = template(pool);
						LogLines lines = LogLines.of("org.mariadb.jdbc")) {
					for (CloseableLockTemplate each : new CloseableLockTemplate[] { first, second, first }) {
						for (int i = 0; i < CALLS; i++) {
							each.acquire(StatementCostsTests.this.prefix + i).close();
						}
					}
					assertThat(lines.containing("Error")).isEmpty();
				}
			}
		}

	}

}
