package io.distlock.jdbc;

import java.time.Duration;
import java.util.function.IntFunction;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.databases.DatabaseServer;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.PostgresServer;
import io.distlock.databases.Wire;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server takes statements and answers none. No caller waits longer than for one
 * command, whatever the application's pool allows: HikariCP's usual limit is 30 s.
 */
@Tag("ci")
class HungServerTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	/** For the answer, and for a machine with much else to do. */
	private static final Duration MOST = TIMEOUT.multipliedBy(3);

	/** For this time HikariCP does not test a connection that it gives. */
	private static final Duration TRUSTED = Duration.ofMillis(600);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callsOfPostgresEnd(boolean copied) throws Exception {
		try (PostgresServer server = PostgresServer.start()) {
			callsEnd(server, PostgresServer::url, copied);
		}
	}

	private static void callsEnd(DatabaseServer server, IntFunction<String> url, boolean copied) throws Exception {
		try (Wire wire = new Wire(server.port()); HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(url.apply(wire.port()));
			DataSource source = copied ? pool : TestDatabase.hidden(pool);
			LockSchema.create(source, "distributed_lock");
			JdbcLockStoreSettings settings = JdbcLockStoreSettings.builder().commandTimeout(TIMEOUT).build();
			try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new JdbcLockStore(source, settings))
				.settings(LockSettings.builder().commandTimeout(TIMEOUT).build())
				.build()) {
				for (int i = 0; i < 20; i++) {
					template.acquire("warm").close();
				}
				LockHandle first = template.acquire("first");
				LockHandle second = template.acquire("second");
				Pause.of(TRUSTED);
				wire.cut();
				assertEnds(first::close);
				assertEnds(second::close);
				for (int i = 0; i < 3; i++) {
					assertEnds(() -> template.acquire(LockRequest.of("next").waitAtMost(Duration.ZERO)));
				}
				wire.restore();
			}
		}
	}

	private static void assertEnds(TestThreads.Action call) throws Exception {
		assertThat(Standstill.timed(() -> {
			try {
				call.run();
			}
			catch (LockException ex) {
				assertThat(ex).isInstanceOf(LockStoreException.class);
			}
		})).isLessThan(MOST);
	}

	@Nested
	@NeedsMariaDb
	class OfMariaDb {

		@Test
		void callsEndThough() throws Exception {
			try (MariaDbServer server = MariaDbServer.start()) {
				callsEnd(server, (port) -> MariaDbServer.url("mariadb", port), true);
			}
		}

	}

}
