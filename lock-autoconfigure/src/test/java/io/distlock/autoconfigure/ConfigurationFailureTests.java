package io.distlock.autoconfigure;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Properties and stores that cannot work, as Spring Boot explains them. */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationFailureTests {

	private static final String MEMORY = "distributed-lock.store=memory";

	@ParameterizedTest
	@MethodSource
	void wrongValueNamesPropertyValueAndFix(String property, String description, String action, CapturedOutput output) {
		assertThat(FailedStart.of(output, FailureAnalysisTests.Empty.class, MEMORY, "distributed-lock." + property))
			.isEqualTo(new FailedStart("The property distributed-lock." + description, action));
	}

	static Stream<Arguments> wrongValueNamesPropertyValueAndFix() {
		String wait = "Use 0 for a single attempt.";
		String lease = "Set it to how long the lock may outlive a process that died, for instance 30s, or leave it out.";
		String crowd = "Set it to how many callers may wait for one lock in one process, or leave it out. "
				+ "To try once without waiting, use a wait time of 0.";
		return Stream.of(arguments("wait-time=-1s", "wait-time is -1s but must not be negative.", wait),
				arguments("lease-time=0", "lease-time is 0s but must be between 100ms and 11574d.", lease),
				arguments("lease-time=50ms", "lease-time is 50ms but must be between 100ms and 11574d.", lease),
				arguments("command-timeout=20s",
						"command-timeout is 20s but must be more than 0 and at most a third of "
								+ "distributed-lock.lease-time, which is 30s.",
						"Lower it to at most 10s or raise the lease time."),
				arguments("command-timeout=0",
						"command-timeout is 0s but must be more than 0 and at most a third of "
								+ "distributed-lock.lease-time, which is 30s.",
						"Lower it to at most 10s or raise the lease time."),
				arguments("shutdown-timeout=-5ms", "shutdown-timeout is -5ms but must not be negative.",
						"Set it to 0 or more, for instance 5s."),
				arguments("locks.stock.wait-time=-1s", "locks.stock.wait-time is -1s but must not be negative.", wait),
				arguments("locks.stock.lease-time=0",
						"locks.stock.lease-time is 0s but must be between 100ms and 11574d.", lease),
				arguments("max-waiters=0", "max-waiters is 0 but must be at least 1.", crowd), arguments(
						"locks.stock.max-waiters=-1", "locks.stock.max-waiters is -1 but must be at least 1.", crowd));
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', value = {
			"redis, redis.key-prefix={x}:, \"Key prefix must not be blank nor contain braces, which pin all locks to one slot of a Cluster, nor control characters, was '{x}:'\"",
			"redis, redis.quarantine=-1s, \"Quarantine must not be negative, was -1s\"",
			"jdbc, jdbc.table=1lock, \"The table of locks must be a plain name, with a schema before it or not, was '1lock'\"",
			"zookeeper, zookeeper.root=a//b, \"The root 'a//b' of a store on ZooKeeper cannot be used: \"" })
	void wrongValueOfAStoreNamesItsGroupValueAndRule(String store, String property, String message,
			CapturedOutput output) {
		FailedStart failure = FailedStart.of(output, FailureAnalysisTests.Empty.class,
				"distributed-lock.store=" + store, "distributed-lock." + property);
		assertThat(failure.description())
			.startsWith("The settings of distributed-lock." + store + ".* cannot work: " + message);
		assertThat(failure.action()).startsWith("Correct the property, or the ").contains("StoreBuilderCustomizer");
	}

	@ParameterizedTest
	@CsvSource({ "store, redsi, 'Did you mean redis? '", "store, mongo, ''", "store, '', ''",
			"stores.audit.type, jdcb, 'Did you mean jdbc? '" })
	void unknownStoreNamesTheTypesThatThereAre(String property, String type, String meant, CapturedOutput output) {
		assertThat(
				FailedStart.of(output, FailureAnalysisTests.Empty.class, "distributed-lock." + property + "=" + type))
			.isEqualTo(new FailedStart(
					"The property distributed-lock." + property + " is '" + type + "', but there is no such store.",
					meant + "Known are: jdbc, memory, redis, redlock, zookeeper."));
	}

	/** A third of it is no whole number of milliseconds. */
	@Test
	void longestCommandTimeoutIsNamedInMilliseconds(CapturedOutput output) {
		assertThat(FailedStart
			.of(output, FailureAnalysisTests.Empty.class, "distributed-lock.store=memory",
					"distributed-lock.lease-time=2s", "distributed-lock.command-timeout=1s")
			.action()).isEqualTo("Lower it to at most 666ms or raise the lease time.");
	}

	/** It wins without distributed-lock.store. */
	@Test
	void storeOfTheApplicationWinsOverWhatIsConfigured() {
		try (ConfigurableApplicationContext context = LockApplications.start(LockApplications.redis(), OwnStore.class,
				"distributed-lock.redlock.nodes=a:1,b:1,c:1")) {
			assertThat(context.getBeansOfType(LockStore.class)).containsOnlyKeys("own");
			assertThat(context.getBean(LockTemplate.class).tryAcquire("stock:42"))
				.hasValueSatisfying(LockHandle::close);
		}
	}

	@Test
	void unparsableDurationNamesThePropertyAndTheValue(CapturedOutput output) {
		FailedStart failure = FailedStart.of(output, FailureAnalysisTests.Empty.class, MEMORY,
				"distributed-lock.wait-time=soon");
		assertThat(failure.description()).contains("Property: distributed-lock.wait-time", "Value: \"soon\"",
				"'soon' is not a valid duration");
		assertThat(failure.action()).isEqualTo("Update your application's configuration");
	}

	/** With a misspelt value methods ran without a lock, and nothing was logged. */
	@ParameterizedTest
	@ValueSource(strings = { "enabled", "web.enabled", "jdbc.commit-check" })
	void switchThatIsNeitherOnNorOffIsRefused(String name, CapturedOutput output) {
		FailedStart failure = FailedStart.of(output, FailureAnalysisTests.Empty.class, MEMORY,
				"distributed-lock." + name + "=flase");
		assertThat(failure.description()).contains("Property: distributed-lock." + name, "Value: \"flase\"",
				"Invalid boolean value 'flase'");
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "on, true", "YES, true", "1, true", "false, false", "off, false", "No, false",
			"0, false" })
	void switchHasAllWordsThatSpringBootKnows(String value, boolean on, CapturedOutput output) {
		try (ConfigurableApplicationContext context = LockApplications.start(false, FailureAnalysisTests.Empty.class,
				MEMORY, "distributed-lock.enabled=" + value)) {
			assertThat(context.getBeanProvider(LockTemplate.class).stream()).hasSize(on ? 1 : 0);
			assertThat(output.toString()
				.contains(
						"distributed-lock.enabled is false: methods annotated with @DistributedLock run without a lock"))
				.isEqualTo(!on);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lease-time", "locks.stock.lease-time" })
	void quarantineShorterThanLease(String property, CapturedOutput output) {
		assertThat(FailedStart.of(output, FailureAnalysisTests.Empty.class,
				quarantine("quarantine=40s", property + "=41s")))
			.isEqualTo(new FailedStart(
					"The property distributed-lock.redis.quarantine is 40s but must be at least the longest lease, "
							+ "and distributed-lock." + property + " is 41s.",
					"Raise it to 41s or more, or shorten the lease."));
	}

	@Test
	void failoverDelayShorterThanLease(CapturedOutput output) {
		assertThat(FailedStart.of(output, FailureAnalysisTests.Empty.class,
				quarantine("failover-delay=40s", "lease-time=41s")))
			.isEqualTo(new FailedStart(
					"The property distributed-lock.redis.failover-delay is 40s but must be at least the longest "
							+ "lease, and distributed-lock.lease-time is 41s.",
					"Raise it to 41s or more, or shorten the lease."));
	}

	private static String[] quarantine(String redis, String lock) {
		return new String[] { "distributed-lock.store=redis", "distributed-lock.redis.url=redis://localhost:1",
				"distributed-lock.redis." + redis, "distributed-lock." + lock };
	}

	@Test
	void noRedisThoughWanted(CapturedOutput output) {
		assertThat(FailedStart.of(output, FailureAnalysisTests.Empty.class, "distributed-lock.store=redis"))
			.isEqualTo(new FailedStart("Locks are kept in Redis, but there is no RedisConnectionFactory bean.",
					"Add spring-boot-starter-data-redis and set spring.data.redis.*, or set distributed-lock.redis.url to "
							+ "the server of the locks."));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnStore {

		@Bean
		LockStore own() {
			return new InMemoryLockStore();
		}

	}

}
