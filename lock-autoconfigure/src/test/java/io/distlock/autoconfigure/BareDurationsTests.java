package io.distlock.autoconfigure;

import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.test.context.TestContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Warnings of settings that are valid but probably not intended. */
@ExtendWith(OutputCaptureExtension.class)
class BareDurationsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withPropertyValues("distributed-lock.store=memory");

	@ParameterizedTest
	@CsvSource({ "wait-time, 3", "wait-time, 99", "waitTime, 3", "locks.stock.wait-time, 5", "max-hold, 30",
			"locks.stock.max-hold, 30", "shutdown-timeout, 30", "lease-time, 300", "locks.stock.min-hold, 600" })
	void smallNumberWithoutAUnitIsTold(String property, String value, CapturedOutput output) {
		start("distributed-lock." + property + "=" + value);
		assertThat(output)
			.containsOnlyOnce("The property distributed-lock." + property.toLowerCase(Locale.ROOT) + " is " + value
					+ ", which is " + value + " ms, because a number without a unit is in milliseconds. Write " + value
					+ "s for seconds, or " + value + "ms");
	}

	@Test
	void smallNumberOfAPlaceholderIsTold(CapturedOutput output) {
		start("stock.patience=3", "distributed-lock.wait-time=${stock.patience}");
		assertThat(output).containsOnlyOnce("The property distributed-lock.wait-time is 3, which is 3 ms");
	}

	@ParameterizedTest
	@ValueSource(strings = { "DISTRIBUTEDLOCK_WAITTIME", "DISTRIBUTED_LOCK_WAIT_TIME" })
	void smallNumberOfAVariableIsTold(String variable, CapturedOutput output) {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
						new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								Map.of(variable, "3"))))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(" is 3, which is 3 ms, because");
	}

	@ParameterizedTest
	@ValueSource(strings = { "wait-time=0", "wait-time=100", "wait-time=5000", "wait-time=3ms", "wait-time=3s",
			"wait-time=PT3S", "lease-time=9000", "max-waiters=3", "locks.stock.max-waiters=3", "advice-order=3" })
	void whatIsMeantIsNotTold(String property, CapturedOutput output) {
		start("distributed-lock." + property);
		assertThat(output).doesNotContain("without a unit");
	}

	@Test
	void locksInMemoryAreToldOutsideOfTests(CapturedOutput output) {
		this.runner.withClassLoader(new FilteredClassLoader(TestContext.class))
			.withPropertyValues("distributed-lock.stores.audit.type=memory")
			.run((context) -> assertThat(context).hasNotFailed());
		String rest = " is memory, so these locks exclude callers of this process only: if the application has several "
				+ "instances, set it to redis, jdbc or zookeeper";
		assertThat(output).containsOnlyOnce("The property distributed-lock.store" + rest)
			.containsOnlyOnce("The property distributed-lock.stores.audit.type" + rest);
	}

	@Test
	void locksInMemoryOfATestAreNotTold(CapturedOutput output) {
		start("distributed-lock.stores.audit.type=memory");
		assertThat(output).doesNotContain("is memory, so");
	}

	private void start(String... properties) {
		this.runner.withPropertyValues(properties).run((context) -> assertThat(context).hasNotFailed());
	}

}
