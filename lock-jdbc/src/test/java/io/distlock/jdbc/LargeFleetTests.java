package io.distlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.engine.LockTemplateBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More processes than have a place in line want one lock of a database, and all of them
 * get it after the process that held it has died. They share a pool, because a server
 * with a hundred connections would refuse them otherwise. How that goes on slow places is
 * tested on virtual time.
 */
@Tag("ci")
@Isolated // many threads
@Timeout(value = 40, unit = TimeUnit.MINUTES)
class LargeFleetTests {

	private static final int WAITERS = 219;

	/** The places in line. */
	private static final int PLACES = 200;

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/** The fleets of two stores may run at the same time on two slow cores. */
	private static final Duration PATIENCE = Duration.ofMinutes(12);

	private final AtomicBoolean dead = new AtomicBoolean();

	@Nested
	class OnPostgres {

		@Test
		void allWhoWaitAreServedAfterTheirLeaderHasDied() throws Exception {
			allAreServed(TestDatabase.postgres("TRANSACTION_READ_COMMITTED"), TestDatabase.postgres());
		}

	}

	@Nested
	@NeedsMariaDb
	class OnMariaDb {

		@Test
		void allWhoWaitAreServedAfterTheirLeaderHasDied() throws Exception {
			allAreServed(TestDatabase.mariaDb("mariadb", "TRANSACTION_REPEATABLE_READ"),
					TestDatabase.mariaDb("mariadb", "TRANSACTION_READ_COMMITTED"));
		}

	}

	/** The pool of the leader is not that of all others, which would let it wait. */
	private void allAreServed(DataSource shared, DataSource poolOfLeader) throws Exception {
		DataSource pool = TestDatabase.hidden(shared);
		String key = "leader-" + UUID.randomUUID();
		LockRequest request = LockRequest.of(key).waitAtMost(PATIENCE.multipliedBy(2));
		List<CloseableLockTemplate> templates = new ArrayList<>();
		try {
			CloseableLockTemplate leader = template(TestDatabase.mortal(poolOfLeader, this.dead::get));
			templates.add(leader);
			assertThat(leader.acquire(request).isHeld()).isTrue();
			List<CompletableFuture<Void>> served = new ArrayList<>();
			for (int i = 0; i < WAITERS; i++) {
				CloseableLockTemplate template = template(pool);
				templates.add(template);
				served.add(template.acquireAsync(request).thenAccept(LockHandle::close).toCompletableFuture());
			}
			Awaitility.await().atMost(PATIENCE).until(() -> waiting(pool, key) == PLACES);
			assertThat(served).noneMatch(CompletableFuture::isDone);
			this.dead.set(true);
			CompletableFuture.allOf(served.toArray(CompletableFuture<?>[]::new))
				.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		finally {
			this.dead.set(false);
			templates.forEach(CloseableLockTemplate::close);
		}
	}

	private static int waiting(DataSource pool, String key) throws SQLException {
		String waiting = TestDatabase.query(pool,
				"SELECT waiting FROM distributed_lock WHERE lock_key LIKE '%" + key + "'");
		return waiting.isEmpty() ? 0 : Integer.parseInt(waiting);
	}

	private static CloseableLockTemplate template(DataSource pool) {
		return LockTemplateBuilder
			.forStore(new JdbcLockStore(pool,
					JdbcLockStoreSettings.builder().commandTimeout(TIMEOUT).notifications(false).build()))
			.settings(LockSettings.builder().leaseTime(LEASE).commandTimeout(TIMEOUT).build())
			.build();
	}

}
