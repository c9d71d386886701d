package io.distlock.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.redis.RedisLockStore;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@ExtendWith(OutputCaptureExtension.class)
class SeveralStoresAutoConfigurationTests {

	private static final RedisServer SERVER = RedisServer.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withConfiguration(LockApplications.redis())
		.withConfiguration(LockApplications.database())
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
				"spring.data.redis.host=" + SERVER.host(), "spring.data.redis.port=" + SERVER.port(),
				"distributed-lock.command-timeout=5s", "distributed-lock.store=redis",
				"distributed-lock.stores.audit.type=jdbc", "distributed-lock.stores.audit.jdbc.table=audit_lock");

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	@Test
	void annotationAndCodeFindTheLockInItsStore(CapturedOutput output) {
		this.runner.withBean(Jobs.class)
			.withPropertyValues("distributed-lock.locks.report.store=audit")
			.run((context) -> {
				assertThat(context).hasSingleBean(LockStore.class).hasSingleBean(RedisLockStore.class);
				Jobs jobs = context.getBean(Jobs.class);
				LockTemplate template = context.getBean(LockTemplate.class);
				assertThat(jobs.report("a", () -> assertThat(rows(context.getBean(DataSource.class))).isEqualTo(1)))
					.isEqualTo("report:a");
				try (LockHandle lock = template.acquire("report:a")) {
					assertThat(rows(context.getBean(DataSource.class))).as(lock.key()).isEqualTo(1);
				}
				try (LockHandle lock = template.acquire("stock:a")) {
					assertThat(rows(context.getBean(DataSource.class))).as(lock.key()).isZero();
					assertThat(TestThreads.isBusy(context.getBean(LockTemplates.class).of("default"), "stock:a"))
						.isTrue();
					assertThat(TestThreads.isBusy(context.getBean(LockTemplates.class).of("audit"), "stock:a"))
						.isFalse();
				}
			});
		assertThat(output).doesNotContain("has no effect");
	}

	@Test
	void placesSayWhichLocksAreWhere() {
		this.runner
			.withPropertyValues("distributed-lock.locks.report.store=audit",
					"distributed-lock.locks.move.store=default,audit")
			.run((context) -> {
				Map<String, String> places = context.getBean(LockTemplates.class).places();
				assertThat(places).containsOnlyKeys("default", "audit");
				assertThat(places.get("default")).startsWith("Redis at ");
				assertThat(places.get("audit"))
					.matches(".*table audit_lock of jdbc:h2:mem:[^ ]+ \\(in the memory of this process\\)"
							+ " for move in default and audit, report");
			});
	}

	/** One step of a roll-out each, as two applications have it. */
	@ParameterizedTest
	@CsvSource({ "default, 'default,audit'", "'default,audit', audit" })
	void movingLockExcludesTheStepsBeforeAndAfter(String one, String other) {
		String url = "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
		this.runner.withPropertyValues(url, "distributed-lock.locks.move.store=" + one)
			.run((left) -> this.runner.withPropertyValues(url, "distributed-lock.locks.move.store=" + other)
				.run((right) -> {
					LockTemplate first = left.getBean(LockTemplate.class);
					LockTemplate second = right.getBean(LockTemplate.class);
					try (LockHandle lock = first.acquire("move:1")) {
						assertThat(TestThreads.isBusy(second, lock.key())).isTrue();
					}
					try (LockHandle lock = second.acquire("move:1")) {
						assertThat(TestThreads.isBusy(first, lock.key())).isTrue();
					}
				}));
	}

	@Test
	void templateOfAStoreWorksAgainAfterAStop() {
		this.runner.run((context) -> {
			LockTemplates lockTemplates = context.getBean(LockTemplates.class);
			// tag::of[]
			LockTemplate audit = lockTemplates.of("audit");
			// end::of[]
			audit.acquire("a").close();
			((ConfigurableApplicationContext) context.getSourceApplicationContext()).stop();
			((ConfigurableApplicationContext) context.getSourceApplicationContext()).start();
			audit.acquire("a").close();
			audit.getLock("a").lock();
			assertThat(audit.holdCount("a")).isEqualTo(1);
			assertThat(audit.isLocked("a")).isTrue();
			audit.getReadWriteLock("a").writeLock().unlock();
			assertThat(audit.tryAcquire("a")).hasValueSatisfying(LockHandle::close);
		});
	}

	@Test
	void unknownIdInCodeIsRefusedWithTheKnownOnes() {
		this.runner.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(LockTemplates.class).of("audti"))
			.withMessage("There is no lock store 'audti'. Known are: audit, default"));
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withPropertyValues("distributed-lock.store=memory")
			.run((context) -> {
				LockTemplates templates = context.getBean(LockTemplates.class);
				assertThat(templates.of("default").isLocked("a")).isFalse();
				assertThat(templates.places()).containsOnlyKeys("default");
				assertThatIllegalArgumentException().isThrownBy(() -> templates.of("audit"))
					.withMessage("There is no lock store 'audit'. Known are: default. Configure it with "
							+ "distributed-lock.stores.audit.type");
			});
	}

	@Test
	void lockInAnUnknownStoreIsRefused(CapturedOutput output) {
		assertThat(FailedStart.of(output, FailureAnalysisTests.Empty.class, "distributed-lock.store=memory",
				"distributed-lock.stores.audit.type=memory", "distributed-lock.locks.report.store=audti"))
			.isEqualTo(new FailedStart(
					"The property distributed-lock.locks.report.store is 'audti', but there is no store of this id.",
					"Known are: audit, default. Configure the store with distributed-lock.stores.audti.type, or correct "
							+ "the id."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "audit,audit", "default,audit,new" })
	void lockInMoreThanItsOldAndItsNextStoreIsRefused(String stores, CapturedOutput output) {
		assertThat(FailedStart.of(output, FailureAnalysisTests.Empty.class, "distributed-lock.store=memory",
				"distributed-lock.stores.audit.type=memory", "distributed-lock.stores.new.type=memory",
				"distributed-lock.locks.report.store=" + stores))
			.isEqualTo(new FailedStart(
					"The property distributed-lock.locks.report.store is " + stores.replace(",", ", ")
							+ ", but a lock is in one store, or in two while it moves from the first to the second.",
					"Name one store, or two different ones."));
	}

	@Test
	void storeWithoutTypeIsRefused(CapturedOutput output) {
		assertThat(FailedStart.of(output, FailureAnalysisTests.Empty.class, "distributed-lock.store=memory",
				"distributed-lock.stores.audit.jdbc.table=audit_lock"))
			.isEqualTo(new FailedStart(
					"The property distributed-lock.stores.audit.type is not set, so it is open where the locks of this "
							+ "store are kept.",
					"Set it to one of: jdbc, memory, redis, redlock, zookeeper."));
	}

	@Test
	void wrongValueOfAStoreIsNamedWithItsId(CapturedOutput output) {
		assertThat(FailedStart
			.of(output, FailureAnalysisTests.Empty.class, "distributed-lock.store=memory",
					"distributed-lock.stores.audit.type=jdbc", "distributed-lock.stores.audit.jdbc.table=1lock")
			.description())
			.isEqualTo("The settings of distributed-lock.stores.audit.jdbc.* cannot work: The table of locks must be "
					+ "a plain name, with a schema before it or not, was '1lock'.");
	}

	@Test
	void checkOfEachStoreRuns() {
		this.runner.withPropertyValues("distributed-lock.stores.audit.jdbc.initialize-schema=never")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith("Store 'audit': The database cannot keep locks:")
				.hasMessageContaining("The table audit_lock of locks is missing")
				.hasMessageContaining("distributed-lock.stores.audit.jdbc.initialize-schema=always"));
	}

	@Test
	void redisOfItsOwnIsClosedWithTheContext() {
		try (RedisServer own = RedisServer.start()) {
			this.runner
				.withPropertyValues("distributed-lock.stores.own.type=redis",
						"distributed-lock.stores.own.redis.url=redis://" + own.host() + ":" + own.port(),
						"distributed-lock.locks.stock.store=own")
				.run((context) -> {
					try (LockHandle lock = context.getBean(LockTemplate.class).acquire("stock:1")) {
						assertThat(TestThreads.isBusy(context.getBean(LockTemplates.class).of("own"), lock.key()))
							.isTrue();
						assertThat(TestThreads.isBusy(context.getBean(LockTemplates.class).of("default"), lock.key()))
							.isFalse();
					}
				});
		}
	}

	/** The lock is where an application that knows only this store finds it. */
	@Test
	void locksOfANamedStoreAreThoseOfOtherApplications() {
		this.runner.withPropertyValues("distributed-lock.locks.report.store=audit").run((context) -> {
			try (CloseableLockTemplate other = LockTemplateBuilder
				.forStore(new JdbcLockStore(context.getBean(DataSource.class),
						JdbcLockStoreSettings.builder().table("audit_lock").build()))
				.build(); LockHandle lock = context.getBean(LockTemplate.class).acquire("report")) {
				assertThat(TestThreads.isBusy(other, lock.key())).isTrue();
			}
		});
	}

	private static int rows(DataSource dataSource) {
		List<String> busy = new JdbcTemplate(dataSource).queryForList("SELECT lock_key FROM audit_lock WHERE busy = 1",
				String.class);
		return Set.copyOf(busy).size();
	}

	static class Jobs {

		@DistributedLock(name = "report", key = "#id")
		public String report(String id, Runnable body) {
			body.run();
			return LockContext.current().orElseThrow().key();
		}

	}

}
