package io.distlock.autoconfigure;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.LockTemplateBuilder;
import io.distlock.autoconfigure.LockProperties.StartupCheck;
import io.distlock.autoconfigure.StoreCheck.Findings;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.TransientStoreException;
import io.distlock.spring.local.LocalGates;
import io.distlock.spring.local.LocalRuns;
import io.distlock.stores.LockTemplates;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The check of a store that was away at the start, or was replaced by another one. */
@ExtendWith(OutputCaptureExtension.class)
class LateStoreCheckTests {

	private static final Findings AWAY = Findings.unreachable("Redis is away", null);

	private static final Findings EVICTS = Findings.problems(List.of("Redis evicts keys"));

	private static final Findings PASSED = Findings.passed(List.of());

	private final AtomicInteger checks = new AtomicInteger();

	private Findings findings = AWAY;

	private Optional<String> server = Optional.empty();

	private final RedisServer redis = RedisServer.start();

	@AfterEach
	void stop() {
		this.redis.close();
	}

	private StoreCheck started(StartupCheck mode) {
		StoreCheck check = new StoreCheck(mode, "Redis cannot keep locks reliably", "the server's configuration",
				"distributed-lock.redis.startup-check", () -> {
					this.checks.incrementAndGet();
					return this.findings;
				}, () -> this.server);
		check.run();
		return check;
	}

	private void answers(String name, Findings now) {
		this.server = Optional.of(name);
		this.findings = now;
	}

	@Test
	void awayAtTheStartThenCheckedOnceItAnswers(CapturedOutput output) {
		StoreCheck check = started(StartupCheck.FAIL);
		check.runAgain();
		assertThat(check.problems()).isEmpty();
		assertThat(check.refusal()).isEmpty();
		answers("a", EVICTS);
		check.runAgain();
		check.runAgain();
		assertThat(check.problems()).containsExactly("Redis evicts keys");
		assertThat(check.refusal()).as("locks are granted").isEmpty();
		answers("a", PASSED);
		check.runAgain();
		assertThat(check.problems()).isEmpty();
		assertThat(output).containsOnlyOnce("Redis cannot keep locks reliably, found after the start, and locks are "
				+ "granted nevertheless (distributed-lock.redis.startup-check=refuse would refuse them): Redis evicts keys");
	}

	@Test
	void sameServerThenNotCheckedAgainAndAnotherOneIs() {
		answers("a", PASSED);
		StoreCheck check = started(StartupCheck.FAIL);
		check.runAgain();
		this.server = Optional.empty();
		check.runAgain();
		assertThat(this.checks).hasValue(1);
		answers("b", EVICTS);
		check.runAgain();
		assertThat(this.checks).hasValue(2);
		assertThat(check.problems()).isNotEmpty();
	}

	/** An operator must not need the level DEBUG to read that a port is wrong. */
	@Test
	void awayAtTheStartThenWarningHasTheRootCauseOnce(CapturedOutput output) {
		this.findings = Findings.unreachable("Redis is away",
				new IllegalStateException("Unable to connect", new IOException("refused:\nshop:1")));
		started(StartupCheck.FAIL);
		assertThat(output).containsOnlyOnce("Redis is away (refused:\\nshop:1). Whether it can keep locks was not "
				+ "checked; the check runs when it answers");
		this.findings = Findings.unreachable("No answer: refused", new IOException("refused"));
		started(StartupCheck.FAIL);
		assertThat(output).contains("No answer: refused. Whether it can keep locks");
	}

	@Test
	void refuseThenNoGrantBeforeTheCheckAndWhileThereAreProblems() {
		StoreCheck check = started(StartupCheck.REFUSE);
		assertThat(check.refusal()).get(InstanceOfAssertFactories.THROWABLE)
			.isInstanceOf(TransientStoreException.class)
			.hasMessage("The store has not answered the check that distributed-lock.redis.startup-check demands");
		answers("a", EVICTS);
		check.runAgain();
		assertThat(check.refusal()).get(InstanceOfAssertFactories.THROWABLE)
			.isNotInstanceOf(TransientStoreException.class)
			.hasMessage("Redis cannot keep locks reliably: Redis evicts keys");
		this.findings = AWAY;
		check.runAgain();
		assertThat(check.refusal()).as("nothing is known of a mend").isPresent();
		answers("a", PASSED);
		check.runAgain();
		assertThat(check.refusal()).isEmpty();
	}

	/** Threads of the application may run until its context is closed. */
	@Test
	void refuseThenNoGrantWhileAStartFails() {
		answers("a", EVICTS);
		StoreCheck check = new StoreCheck(StartupCheck.REFUSE, "Redis cannot keep locks reliably", "", "",
				() -> this.findings);
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(check::run);
		assertThat(check.refusal()).get(InstanceOfAssertFactories.THROWABLE)
			.hasMessage("Redis cannot keep locks reliably: Redis evicts keys");
	}

	/** After the answer, the server is asked for its name before the check ends. */
	@Test
	void refuseThenNoGrantBetweenTheAnswerAndTheEndOfTheCheck() {
		List<Boolean> refused = new ArrayList<>();
		AtomicReference<StoreCheck> running = new AtomicReference<>();
		StoreCheck check = new StoreCheck(StartupCheck.REFUSE, "Redis cannot keep locks reliably", "", "",
				() -> this.findings, () -> {
					refused.add(running.get().refusal().isPresent());
					return this.server;
				});
		running.set(check);
		check.run();
		answers("a", EVICTS);
		check.runAgain();
		assertThat(check.refusal()).isPresent();
		assertThat(refused).isNotEmpty().doesNotContain(false);
	}

	/** No body runs while the store has answered that it cannot keep locks. */
	@Test
	void refuseThenWinsOverLocalOnlyOnceTheStoreHasAnswered() {
		StoreCheck check = started(StartupCheck.REFUSE);
		LockSettings settings = LockSettings.builder().commandTimeout(Duration.ofMillis(20)).build();
		LocalGates gates = new LocalGates(() -> settings);
		try (CloseableLockTemplate engine = LockTemplateBuilder
			.forStore(CheckedStore.of(new InMemoryLockStore(), check))
			.settings(settings)
			.build()) {
			LockTemplate locks = gates.over(engine, new LocalRuns("A.b()", System::nanoTime));
			locks.acquire("stock").close();
			assertThat(gates.runs()).as("before the store has answered").isEqualTo(1);
			answers("a", EVICTS);
			check.runAgain();
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.acquire("stock"))
				.withMessageContaining("Redis cannot keep locks reliably: Redis evicts keys");
			assertThat(gates.runs()).isEqualTo(1);
		}
	}

	@Test
	void warnThenOnlyLogged(CapturedOutput output) {
		StoreCheck check = started(StartupCheck.WARN);
		answers("a", EVICTS);
		check.runAgain();
		assertThat(check.problems()).isEmpty();
		assertThat(check.refusal()).isEmpty();
		assertThat(output).contains("Redis cannot keep locks reliably, found after the start: Redis evicts keys");
	}

	@Test
	void offThenNotChecked() {
		StoreCheck check = started(StartupCheck.OFF);
		check.runAgain();
		assertThat(this.checks).hasValue(0);
	}

	@Test
	void aWatchRepeatsTheChecksAndSurvivesOneThatFails() {
		answers("a", PASSED);
		StoreCheck check = started(StartupCheck.FAIL);
		StoreCheck broken = new StoreCheck(StartupCheck.FAIL, "", "", "", () -> PASSED, () -> {
			throw new NoClassDefFoundError("broken");
		});
		Map<String, StoreCheck> brokenFirst = new TreeMap<>(Map.of("broken", broken, LockTemplates.DEFAULT, check));
		StoreWatch watch = new StoreWatch(() -> brokenFirst, Duration.ofMillis(5));
		watch.start();
		try {
			answers("b", EVICTS);
			Awaitility.await().until(() -> !watch.problems(LockTemplates.DEFAULT).isEmpty());
		}
		finally {
			watch.stop();
		}
		assertThat(watch.isRunning()).isFalse();
		assertThat(watch.problems("other")).isEmpty();
	}

	private ApplicationContextRunner application(String mode) {
		return new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(LockApplications.redis())
			.withPropertyValues("spring.data.redis.host=" + this.redis.host(),
					"spring.data.redis.port=" + this.redis.port(), "distributed-lock.redis.startup-check=" + mode);
	}

	private RedisServer replacement(String... args) {
		return RedisServer.builder().port(this.redis.port()).args(args).start();
	}

	private static void awaitProblems(StoreCheck check) {
		Awaitility.await().until(() -> {
			check.runAgain();
			return !check.problems().isEmpty();
		});
	}

	@Test
	void redisThatComesUpWithEvictionIsReportedAndRefused() {
		this.redis.stop();
		application("refuse").run((context) -> {
			StoreCheck check = context.getBean(StoreCheck.class);
			LockTemplate locks = context.getBean(LockTemplate.class);
			try (RedisServer late = replacement("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")) {
				awaitProblems(check);
				assertThat(context.getBean(StoreWatch.class).problems(LockTemplates.DEFAULT)).singleElement()
					.asString()
					.startsWith("Redis evicts keys when memory is full (maxmemory-policy allkeys-lru)");
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.acquire("stock"))
					.withMessageContaining("'stock'")
					.withMessageContaining("Redis cannot keep locks reliably: Redis evicts keys");
				late.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
				check.runAgain();
				try (LockHandle lock = locks.acquire("stock")) {
					lock.ensureHeld();
				}
			}
		});
	}

	@Test
	void redisThatIsReplacedByOneWithoutRightsIsReported(CapturedOutput output) {
		application("fail").run((context) -> {
			StoreCheck check = context.getBean(StoreCheck.class);
			check.runAgain();
			assertThat(check.problems()).isEmpty();
			this.redis.stop();
			try (RedisServer other = replacement("--user", "default", "on", "nopass", "~*", "&*", "+@all",
					"-evalsha")) {
				awaitProblems(check);
				assertThat(check.problems()).singleElement().asString().contains("evalsha");
			}
		});
		assertThat(output).containsOnlyOnce("Redis cannot keep locks reliably, found after the start, and locks are "
				+ "granted nevertheless (distributed-lock.redis.startup-check=refuse would refuse them): ");
	}

	@Test
	void redlockWhoseMajorityWasAwayIsCheckedBeforeItGrants() {
		try (RedisServer second = RedisServer.start(); RedisServer third = RedisServer.start()) {
			second.stop();
			third.stop();
			new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
				.withPropertyValues("distributed-lock.command-timeout=500ms",
						"distributed-lock.redis.connect-timeout=0s", "distributed-lock.store=redlock",
						"distributed-lock.redis.startup-check=refuse",
						"distributed-lock.redlock.nodes=" + address(this.redis) + "," + address(second) + ","
								+ address(third))
				.run((context) -> {
					LockTemplate locks = context.getBean(LockTemplate.class);
					assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.acquire("stock"))
						.withMessageContaining("The store has not answered the check");
					StoreCheck check = context.getBean(StoreCheck.class);
					try (RedisServer late = RedisServer.builder()
						.port(second.port())
						.args("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
						.start()) {
						awaitProblems(check);
						assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.acquire("stock"))
							.withMessageContaining("The Redlock nodes cannot keep locks reliably: Node ")
							.withMessageContaining("Redis evicts keys");
						late.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
						Awaitility.await().until(() -> {
							check.runAgain();
							return check.refusal().isEmpty();
						});
					}
				});
		}
	}

	private static String address(RedisServer server) {
		return "redis://" + server.host() + ":" + server.port();
	}

}
