package io.distlock.migration;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.distlock.databases.DatabaseServer;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreCheckResult.Unreachable;

import static org.assertj.core.api.Assertions.assertThat;

/** A table of ShedLock, used by ShedLock too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractShedLockTableTests {

	private static final Duration LEASE = Duration.ofMinutes(2);

	private static final RequestId OURS = new RequestId("here", 1);

	private static final AtomicInteger TABLES = new AtomicInteger();

	final DatabaseServer server;

	AbstractShedLockTableTests(DatabaseServer server) {
		this.server = server;
	}

	@AfterAll
	void stop() {
		this.server.close();
	}

	final DataSource database() {
		return new DriverManagerDataSource(this.server.url());
	}

	@Test
	void bothExcludeEachOther() {
		DataSource database = database();
		String table = create(database, "TIMESTAMP(3)");
		ShedLockTable locks = new ShedLockTable(database, table);
		assertThat(locks.check().problems()).isEmpty();
		assertThat(locks.check().warnings()).isEmpty();
		LockProvider shedLock = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
			.withJdbcTemplate(new JdbcTemplate(database))
			.withTableName(table)
			.usingDbTime()
			.build());
		for (int i = 0; i < 2; i++) {
			assertThat(acquire(locks).yes()).isTrue();
			assertThat(shedLock(shedLock)).isEmpty();
			assertThat(locks.renew("stock", OURS, LEASE.toMillis()).yes()).isTrue();
			assertThat(locks.inspect("stock").micros()).isBetween(1L, LEASE.toNanos() / 1000);
			assertThat(locks.finish("stock", OURS, 0, 0).yes()).isTrue();
			assertThat(locks.renew("stock", OURS, LEASE.toMillis()).yes()).isFalse();

			SimpleLock lock = shedLock(shedLock).orElseThrow();
			assertThat(acquire(locks).yes()).isFalse();
			assertThat(locks.inspect("stock").yes()).isTrue();
			lock.unlock();
			assertThat(locks.inspect("stock").yes()).isFalse();
		}
	}

	@Test
	void missingTableIsToldAtStartup() {
		assertThat(new ShedLockTable(database(), "missing").check()).isInstanceOfSatisfying(Unreachable.class,
				(away) -> {
					assertThat(away.message()).isEqualTo("The table of ShedLock could not be read");
					assertThat(away.cause()).hasMessageContaining("missing");
				});
	}

	/** A provider may be told to write any name. */
	@Test
	void heldLockWithoutTheNameOfItsHolderIsNotFree() {
		DataSource database = database();
		String table = create(database, "TIMESTAMP(3)");
		ForeignLocks locks = new ShedLockTable(database, table);
		acquire(locks);
		new JdbcTemplate(database).update("UPDATE " + table + " SET locked_by = ''");
		for (int i = 0; i < 2; i++) {
			assertThat(acquire(locks).yes()).isFalse();
			assertThat(locks.inspect("stock").yes()).isTrue();
		}
	}

	private static ForeignLocks.Answer acquire(ForeignLocks locks) {
		return locks.acquire("stock", OURS, LEASE.toMillis(), true, 0);
	}

	private static Optional<SimpleLock> shedLock(LockProvider provider) {
		return provider.lock(new LockConfiguration(Instant.now(), "stock", LEASE, Duration.ZERO));
	}

	/** As ShedLock's documentation does. */
	static String create(DataSource database, String type) {
		String table = "shedlock" + TABLES.incrementAndGet();
		new JdbcTemplate(database).execute("""
				CREATE TABLE %s (name VARCHAR(64) NOT NULL, lock_until %2$s NOT NULL, locked_at %2$s NOT NULL,
				locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))
				""".formatted(table, type));
		return table;
	}

}
