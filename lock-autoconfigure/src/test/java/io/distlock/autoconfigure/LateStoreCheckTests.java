package io.distlock.autoconfigure;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.StoreCheck.Mode;
import io.distlock.spi.StoreCheckResult;
import io.distlock.spi.StoreCheckResult.Passed;
import io.distlock.spi.StoreCheckResult.Problems;
import io.distlock.spi.StoreCheckResult.Refused;
import io.distlock.spi.StoreCheckResult.Unreachable;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The check of a store that was away at the start. */
@ExtendWith(OutputCaptureExtension.class)
class LateStoreCheckTests {

	private static final StoreCheckResult AWAY = new Unreachable("Redis is away", null);

	private static final StoreCheckResult EVICTS = new Problems(List.of("Redis evicts keys"));

	private static final StoreCheckResult PASSED = new Passed();

	private final AtomicInteger checks = new AtomicInteger();

	private StoreCheckResult result = AWAY;

	private final Logger logger = (Logger) LoggerFactory.getLogger(StoreCheck.class);

	/** Applications of other tests in this process may have set another level. */
	@BeforeEach
	void logAll() {
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void stop() {
		this.logger.setLevel(null);
	}

	private StoreCheck created(Mode mode) {
		return new StoreCheck(mode, "Redis at shop:1 cannot keep locks reliably", "the server's configuration",
				"distributed-lock.redis.startup-check", () -> {
					this.checks.incrementAndGet();
					return this.result;
				});
	}

	private StoreCheck started(Mode mode) {
		StoreCheck check = created(mode);
		check.run();
		return check;
	}

	@Test
	void awayAtTheStartThenCheckedOnceItAnswers(CapturedOutput output) {
		StoreCheck check = started(Mode.FAIL);
		check.runIfDue();
		assertThat(check.problems()).isEmpty();
		this.result = EVICTS;
		check.runIfDue();
		check.runIfDue();
		assertThat(check.problems()).containsExactly("Redis evicts keys");
		this.result = AWAY;
		check.runIfDue();
		assertThat(check.problems()).as("nothing is known of a mend").isNotEmpty();
		this.result = PASSED;
		check.runIfDue();
		assertThat(check.problems()).isEmpty();
		assertThat(output)
			.containsOnlyOnce("Redis at shop:1 cannot keep locks reliably, found after the start. "
					+ "Locks are still granted: Redis evicts keys")
			.containsOnlyOnce("Redis at shop:1 cannot keep locks reliably: resolved");
	}

	/** Of three nodes two are away, and the third one evicts keys. */
	@Test
	void mostOfItAwayAtTheStartThenCheckedOnceItAnswers(CapturedOutput output) {
		this.result = new Problems(List.of("n1 evicts keys"), List.of("n2 is away", "n3 is away"), false);
		StoreCheck check = started(Mode.WARN);
		check.runIfDue();
		this.result = new Problems(List.of("n1 evicts keys", "n2 is too old"));
		check.runIfDue();
		check.runIfDue();
		assertThat(this.checks).hasValue(3);
		assertThat(output).containsOnlyOnce("found after the start: n1 evicts keys; n2 is too old");
	}

	@Test
	void passedThenNotCheckedAgain() {
		this.result = PASSED;
		StoreCheck check = started(Mode.FAIL);
		this.result = EVICTS;
		check.runIfDue();
		assertThat(this.checks).hasValue(1);
		assertThat(check.problems()).isEmpty();
	}

	/** An operator must not need the level DEBUG to read that a port is wrong. */
	@Test
	void awayAtTheStartThenWarningHasTheRootCauseOnce(CapturedOutput output) {
		this.result = new Unreachable("Redis is away",
				new IllegalStateException("Unable to connect", new IOException("refused:\nshop:1")));
		started(Mode.FAIL);
		assertThat(output)
			.containsOnlyOnce("Redis is away (refused: shop:1). Whether it can keep locks was not checked");
		this.result = new Unreachable("No answer: refused", new IOException("refused"));
		started(Mode.FAIL);
		assertThat(output).contains("No answer: refused. Whether it can keep locks");
	}

	@Test
	void awayAtTheStartThenWarningHasOneFullStop(CapturedOutput output) {
		this.result = new Unreachable("READONLY You can't write against a read only replica.", null);
		started(Mode.FAIL);
		assertThat(output).contains("read only replica. Whether it can keep locks was not checked");
	}

	@Test
	void ofOneOfSeveralStoresThenNamesIt(CapturedOutput output) {
		StoreCheck check = created(Mode.FAIL).ofStore("audit");
		this.result = new Unreachable("Redis is away", null);
		check.run();
		assertThat(output).contains("Store 'audit': Redis is away. Whether it can keep locks was not checked");
		this.result = EVICTS;
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(check::run)
			.satisfies((ex) -> assertThat(ex.description())
				.startsWith("Store 'audit': Redis at shop:1 cannot keep locks reliably:"));
	}

	@Test
	void lettingNobodyInIsNoRiskToAccept() {
		this.result = new Refused(List.of("Redis refused the login"));
		StoreCheck check = created(Mode.FAIL);
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(check::run)
			.satisfies(
					(ex) -> assertThat(ex.action()).isEqualTo("Change the server's configuration as described above."));
	}

	@Test
	void warnThenOnlyLogged(CapturedOutput output) {
		StoreCheck check = started(Mode.WARN);
		this.result = EVICTS;
		check.runIfDue();
		check.runIfDue();
		assertThat(check.problems()).isEmpty();
		assertThat(output)
			.containsOnlyOnce("Redis at shop:1 cannot keep locks reliably, found after the start: Redis evicts keys");
	}

	@Test
	void offThenNotChecked() {
		StoreCheck check = started(Mode.OFF);
		check.runIfDue();
		assertThat(this.checks).hasValue(0);
	}

	private static ApplicationContextRunner application(RedisServer redis) {
		return new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(LockApplications.redis())
			.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
					"distributed-lock.command-timeout=10s");
	}

	@Test
	void redisThatComesUpWithEvictionIsReportedUntilItIsMended() {
		RedisServer away = RedisServer.start();
		away.close();
		application(away).run((context) -> {
			StoreCheck check = context.getBean(ConfiguredStores.class).get("default").orElseThrow().check();
			try (RedisServer late = RedisServer.builder()
				.port(away.port())
				.args("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
				.start()) {
				Awaitility.await().until(() -> {
					check.runIfDue();
					return !check.problems().isEmpty();
				});
				assertThat(check.problems()).singleElement()
					.asString()
					.startsWith("Redis evicts keys when memory is full (maxmemory-policy allkeys-lru)");
				late.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
				check.runIfDue();
				assertThat(check.problems()).isEmpty();
			}
		});
	}

	/** Servlet containers warn of threads that outlive an application. */
	@Test
	void contextsThatAreClosedLeaveNoThread() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (RedisServer redis = RedisServer.start()) {
			for (int i = 0; i < 3; i++) {
				for (String client : List.of("lettuce", "jedis")) {
					application(redis).withPropertyValues("spring.data.redis.client-type=" + client)
						.run((context) -> context.getBean(LockTemplate.class).acquire("stock").close());
				}
			}
		}
		Awaitility.await()
			.atMost(TestThreads.LIMIT)
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> thread.getName().startsWith("distributed-lock") && !before.contains(thread))
				.isEmpty());
	}

}
