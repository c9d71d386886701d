package io.distlock.autoconfigure.health;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.LossReason;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.leader.LeaderElection;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;
import io.distlock.stores.SeveralStores;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

/** What the health of locks shows, and that it never waits for long. */
class LockHealthTests {

	/** So long that a busy machine answers in a fraction of it. */
	private static final Duration PATIENCE = Duration.ofSeconds(8);

	private volatile boolean hangs;

	private final LockStore store = hangable(new InMemoryLockStore());

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(this.store)
		.settings(LockSettings.builder().commandTimeout(PATIENCE).build())
		.build();

	private Instant now = Instant.parse("2026-01-01T10:00:00Z");

	private final LockHealth health = health(Duration.ofSeconds(20));

	private LockHealth health(Duration commandTimeout) {
		return new LockHealth(() -> this.template, () -> null, (id) -> List.of(), commandTimeout, () -> this.now);
	}

	/** Grants nothing while it hangs. */
	private LockStore hangable(LockStore real) {
		return (LockStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { LockStore.class },
				(proxy, method, arguments) -> {
					if (this.hangs && method.getName().equals("acquire")) {
						return new CompletableFuture<>();
					}
					return method.invoke(real, arguments);
				});
	}

	@AfterEach
	void close() {
		this.template.close();
	}

	@Test
	void aStoreThatAnswersIsUp() {
		LockHealth.Report report = this.health.check();
		assertThat(report.up()).isTrue();
		assertThat(report.details()).containsEntry("lastAnswer", "2026-01-01T10:00:00Z")
			.containsEntry("lostInLast5Minutes", 0)
			.containsKeys("answeredWithin", "renewalLag");
	}

	@Tag("ci")
	@Test
	void aTemplateWithoutOperationsTakesTheLockItselfAndSaysSo() {
		LockTemplate plain = (LockTemplate) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockTemplate.class },
				(proxy, method, arguments) -> method.invoke(this.template, arguments));
		LockHealth health = new LockHealth(() -> plain, () -> null, (id) -> List.of(), PATIENCE.multipliedBy(2),
				() -> this.now);
		LockHealth.Report report = health.check();
		assertThat(report.up()).isTrue();
		assertThat(report.details()).hasEntrySatisfying("probe", (probe) -> assertThat(probe.toString())
			.contains("lock of this check", plain.getClass().getName(), "LockOperations.Provider"));
		try (LockHandle other = this.template.acquire(LockHealth.PROBE)) {
			assertThat(health.check().up()).as("a store that says who has the lock works").isTrue();
		}
		assertThat(health.check().details()).as("nothing is left").doesNotContainKey("error");
		this.hangs = true;
		assertThat(health.check().up()).isFalse();
	}

	@Test
	void aStoreThatHangsIsDownWithinTheCommandTimeoutAndStillKnowsItsLastAnswer() throws Exception {
		LockHealth impatient = health(Duration.ofMillis(300));
		// An answer may come too late where the machine does much else.
		Awaitility.await().until(() -> impatient.check().up());
		this.hangs = true;
		LockHealth.Report report = TestThreads.get(TestThreads.inThread(impatient::check));
		assertThat(report.up()).isFalse();
		assertThat(report.details()).containsEntry("lastAnswer", "2026-01-01T10:00:00Z")
			.hasEntrySatisfying("error",
					(error) -> assertThat(error.toString()).contains("did not answer").contains("300"));
	}

	/** A server or another library wrote the reasons. */
	@Test
	void lostNodesAreInOneLineEachAndNotTooMany() {
		List<String> lost = IntStream.range(0, 1000).mapToObj((i) -> "n" + i + " failed\nUP").toList();
		LockHealth health = new LockHealth(() -> this.template, () -> null, (id) -> List.of(),
				(id) -> id.equals("default") ? lost : List.of(), Duration.ofSeconds(20), () -> this.now,
				LockHealth::thread, Stream::empty);
		LockHealth.Report report = health.check();
		assertThat(report.up()).isTrue();
		assertThat(report.details().get("lostNodes")).asInstanceOf(InstanceOfAssertFactories.list(String.class))
			.hasSize(20)
			.startsWith("n0 failed\\nUP");
		assertThat(this.health.check().details()).doesNotContainKey("lostNodes");
	}

	@Test
	void aStoreThatAnswersButCannotKeepLocksIsDown() {
		LockHealth health = new LockHealth(() -> this.template, () -> null, (id) -> List.of(id + " evicts keys"),
				Duration.ofSeconds(20), () -> this.now);
		assertThat(health.check().up()).isFalse();
		assertThat(health.check().details()).containsEntry("problems", List.of("default evicts keys"))
			.containsKey("answeredWithin");
	}

	@Test
	void aThreadThatDoesNotTurnIsDownByName() throws Exception {
		CountDownLatch hang = new CountDownLatch(1);
		CountDownLatch renewing = new CountDownLatch(1);
		LockStore real = new InMemoryLockStore();
		LockStore stuck = (LockStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("renew")) {
						renewing.countDown();
						hang.await();
					}
					return method.invoke(real, arguments);
				});
		SlowClock clock = new SlowClock();
		// The first renewal is due after 3 s, and a busy machine may send it up to 6 s
		// late.
		LockSettings settings = LockSettings.builder().leaseTime(Duration.ofSeconds(9)).build();
		try (CloseableLockTemplate locks = LockTemplateBuilder.forStore(stuck)
			.settings(settings)
			.clock(clock)
			.build()) {
			LockHealth health = new LockHealth(() -> locks, () -> null, (id) -> List.of(), Duration.ofSeconds(20),
					() -> this.now);
			locks.acquire("stock");
			renewing.await();
			assertThat(health.check().details()).doesNotContainKey("stuck");
			clock.ahead = LockHealth.STUCK.plusSeconds(1).toNanos();
			LockHealth.Report report = health.check();
			hang.countDown();
			assertThat(report.up()).isFalse();
			assertThat(report.details()).hasEntrySatisfying("stuck",
					(what) -> assertThat(what.toString())
						.contains("distributed-lock-housekeeper", "restart this process")
						.containsPattern("overdue for \\d{5}ms"));
		}
	}

	/** The clock of the machine, until the test moves it on. */
	private static final class SlowClock implements LockClock {

		private final LockClock machine = LockClock.system();

		private volatile long ahead;

		@Override
		public long nanoTime() {
			return this.machine.nanoTime() + this.ahead;
		}

		@Override
		public Instant instant() {
			return this.machine.instant().plusNanos(this.ahead);
		}

		@Override
		public void park(long nanos) {
			this.machine.park(nanos);
		}

	}

	@Test
	void checksOfAStoreThatHangsShareOneQuestion() throws Exception {
		AtomicInteger asked = new AtomicInteger();
		CountDownLatch hang = new CountDownLatch(1);
		LockHealth hung = new LockHealth(() -> {
			if (Thread.currentThread().getName().equals("distributed-lock-health")) {
				asked.incrementAndGet();
				CompletableFuture.runAsync(() -> {
					try {
						hang.await();
					}
					catch (InterruptedException ex) {
						Thread.currentThread().interrupt();
					}
				}).join();
			}
			return this.template;
		}, () -> null, (id) -> List.of(), Duration.ofMillis(20), () -> this.now);
		assertThat(hung.check().up()).isFalse();
		Awaitility.await().until(() -> asked.get() == 1);
		for (int i = 0; i < 4; i++) {
			assertThat(hung.check().up()).isFalse();
		}
		assertThat(asked).hasValue(1);
		hang.countDown();
	}

	@Tag("ci")
	@Test
	void eachStoreIsAskedAndOneThatHangsIsDownWithinOneCommandTimeout() throws Exception {
		this.hangs = true;
		Map<String, CloseableLockTemplate> templates = new LinkedHashMap<>();
		templates.put(LockTemplates.DEFAULT, template(new InMemoryLockStore()));
		templates.put("audit", template(hangable(new InMemoryLockStore())));
		templates.put("stock", template(hangable(new InMemoryLockStore())));
		Map<String, String> places = Map.of(LockTemplates.DEFAULT, "here", "audit", "there", "stock", "far");
		try (SeveralStores stores = new SeveralStores(templates, Map.of(), places, Duration.ofSeconds(1))) {
			LockHealth several = new LockHealth(() -> stores, () -> stores, (id) -> List.of(), PATIENCE,
					() -> this.now);
			AtomicReference<LockHealth.Report> checked = new AtomicReference<>();
			assertThat(Standstill.timed(() -> checked.set(several.check()))).as("not one after the other")
				.isLessThan(PATIENCE.multipliedBy(2).minusSeconds(2));
			LockHealth.Report report = checked.get();
			assertThat(report.up()).isFalse();
			assertThat(report.details()).containsOnlyKeys("stores", "renewalLag", "lostInLast5Minutes");
			assertThat(store(report, LockTemplates.DEFAULT)).containsKeys("answeredWithin", "lastAnswer")
				.doesNotContainKey("error");
			assertThat(store(report, "audit")).containsKey("error").containsEntry("lastAnswer", "none yet");
			assertThat(store(report, "stock")).containsKey("error");
			this.hangs = false;
			Awaitility.await().until(() -> several.check().up());
		}
	}

	private static CloseableLockTemplate template(LockStore store) {
		return LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().commandTimeout(PATIENCE).build())
			.build();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> store(LockHealth.Report report, String id) {
		return (Map<String, Object>) ((Map<?, ?>) report.details().get("stores")).get(id);
	}

	@Test
	void aThreadThatCannotBeStartedIsReportedAndTheNextCheckAsksAgain() {
		AtomicInteger asked = new AtomicInteger();
		LockHealth starved = new LockHealth(() -> this.template, () -> null, (id) -> List.of(), (id) -> List.of(),
				Duration.ofSeconds(5), () -> this.now, (question) -> {
					if (asked.getAndIncrement() == 0) {
						throw new OutOfMemoryError("unable to create native thread");
					}
					return new Thread(question);
				}, Stream::empty);
		LockHealth.Report report = starved.check();
		assertThat(report.up()).isFalse();
		assertThat(report.details()).containsEntry("error", "OutOfMemoryError");
		assertThat(starved.check().up()).isTrue();
	}

	@Test
	void lossesAreCountedForFiveMinutes() {
		this.health.lost(new LockLoss("default", "", "a", 1, this.now, this.now, this.now, Duration.ofSeconds(30), "t",
				"", LossReason.EXPIRED));
		assertThat(this.health.check().details()).containsEntry("lostInLast5Minutes", 1);
		this.now = this.now.plus(Duration.ofMinutes(6));
		assertThat(this.health.check().details()).containsEntry("lostInLast5Minutes", 0);
	}

	@Test
	void candidatesAreAsHealthyAsTheLeader() {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(AutoConfigurations.of(LockHealthAutoConfiguration.class))
			.withPropertyValues("distributed-lock.store=memory");
		runner.run((context) -> assertThat(context.getBean(LockHealth.class).check().details())
			.doesNotContainKey("leaderElections"));
		runner.withBean(LeaderElection.class, () -> LeaderElection.of(this.template, "indexer"))
			.run((context) -> Awaitility.await().untilAsserted(() -> {
				LockHealth.Report report = context.getBean(LockHealth.class).check();
				assertThat(report.up()).isTrue();
				assertThat(report.details()).containsEntry("leaderElections", Map.of("indexer", "leader"));
			}));
		LeaderElection leader = LeaderElection.of(this.template, "mailer");
		try (leader) {
			leader.start();
			Awaitility.await().until(leader::isLeader);
			runner.withBean(LeaderElection.class, () -> LeaderElection.of(this.template, "mailer"))
				.run((context) -> Awaitility.await().untilAsserted(() -> {
					LockHealth.Report report = context.getBean(LockHealth.class).check();
					assertThat(report.up()).isTrue();
					assertThat(report.details()).containsEntry("leaderElections", Map.of("mailer", "candidate"));
				}));
		}
	}

	@Test
	void theContributorIsThereOnBothLinesAndAsksEachStore() {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(AutoConfigurations.of(LockHealthAutoConfiguration.class))
			.withPropertyValues("distributed-lock.store=memory", "distributed-lock.command-timeout=10s");
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeanNamesForType(LockHealth.class)).hasSize(1);
			assertThat(context.containsBean("locksHealthIndicator") || context.containsBean("locksHealthContributor"))
				.isTrue();
			assertThat(context.getBean(LockHealth.class).check().up()).isTrue();
		});
		runner.withPropertyValues("distributed-lock.stores.audit.type=memory")
			.run((context) -> assertThat(context.getBean(LockHealth.class).check().details()).hasEntrySatisfying(
					"stores",
					(stores) -> assertThat(((Map<?, ?>) stores).keySet()).isEqualTo(Set.of("default", "audit"))));
	}

}
