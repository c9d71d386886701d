package io.distlock.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockSettings;
import io.distlock.output.DocPage;
import io.distlock.spring.startup.LockDefinition;
import io.distlock.spring.startup.LockDefinitions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Times, switches and stores find their lock in one way: by its exact name. Only an
 * environment variable, which cannot spell each name, may mean a similar one, and a
 * single one.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfiguredNamesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("distributed-lock.store=memory", "distributed-lock.stores.second.type=memory")
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class));

	private ApplicationContextRunner withVariable(String name, String value) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(name, value))));
	}

	/** The runner's own method ends a name at its first colon. */
	private ApplicationContextRunner with(String property, String value) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addLast(new MapPropertySource("file", Map.of(property, value))));
	}

	@Test
	void switchOfOneLockLeavesSimilarNamesAlone() {
		this.runner.withBean(Reports.class)
			.withPropertyValues("distributed-lock.locks.report1.enabled=false")
			.run((context) -> {
				Reports reports = context.getBean(Reports.class);
				assertThat(reports.one()).isFalse();
				assertThat(reports.dashed()).isTrue();
				assertThat(reports.upper()).isTrue();
			});
	}

	@Test
	void timesOfOneLockLeaveSimilarNamesAlone() {
		this.runner.withBean(Reports.class)
			.withPropertyValues("distributed-lock.locks[REPORT.1].wait-time=7s",
					"distributed-lock.locks[report-1].wait-time=8s")
			.run((context) -> {
				assertThat(waitTime(context.getBean(LockDefinitions.class), "report1")).isEqualTo("5s");
				assertThat(waitTime(context.getBean(LockDefinitions.class), "report-1")).isEqualTo("8s");
				assertThat(waitTime(context.getBean(LockDefinitions.class), "REPORT.1")).isEqualTo("7s");
			});
	}

	/** Spring Boot would switch off both. */
	@Test
	void namesThatSpringBootTakesForOneAreRefused() {
		this.runner.withBean(Reports.class)
			.withPropertyValues("distributed-lock.locks.report1.enabled=false",
					"distributed-lock.locks.report-1.wait-time=3s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageContainingAll("distributed-lock.locks.report1", "distributed-lock.locks.report-1",
						"have one name for Spring Boot, which gives each lock the settings of both."));
		this.runner.withBean(Reports.class)
			.withPropertyValues("distributed-lock.locks[report1].enabled=false",
					"distributed-lock.locks[report-1].wait-time=3s")
			.run((context) -> {
				assertThat(context.getBean(Reports.class).one()).isFalse();
				assertThat(context.getBean(Reports.class).dashed()).isTrue();
			});
	}

	@ParameterizedTest
	@CsvSource({ "wait-time, 3s", "enabled, false" })
	void nameThatMissesItsLockIsTold(String setting, String value, CapturedOutput output) {
		with("distributed-lock.locks.order:sync." + setting, value).withBean(Sync.class).run((context) -> {
			assertThat(context.getBean(Sync.class).run()).isTrue();
			assertThat(waitTime(context.getBean(LockDefinitions.class), "order:sync")).isEqualTo("5s");
		});
		assertThat(output)
			.contains("distributed-lock.locks.ordersync has no effect: no annotated method has this name. "
					+ "Names are: [order:sync]. Did you mean distributed-lock.locks[order:sync]?");
	}

	@ParameterizedTest
	@CsvSource({ "distributed-lock.locks.order:sync.store, ordersync",
			"distributed-lock.locks.Order-Sync.store, Order-Sync" })
	void storeThatMissesItsLockIsRefused(String property, String name) {
		with(property, "second").withBean(Sync.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("its name is 'order:sync', so distributed-lock.locks." + name
						+ ".store does not choose its store. Write the name exactly, in a file: "
						+ "distributed-lock.locks[order:sync].store"));
		with("distributed-lock.locks[order:sync].store", "second").withBean(Sync.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void storeFromAVariableThatMissesItsLockIsRefused() {
		withVariable("DISTRIBUTEDLOCK_LOCKS_ORDERSYNC_STORE", "second").withBean(Sync.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("distributed-lock.locks.ordersync.store does not choose its store"));
	}

	@Test
	void storeOfAnotherLockIsNoMistake() {
		this.runner.withBean(Reports.class)
			.withPropertyValues("distributed-lock.locks.report1.store=second")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void variableMeansTheOnlySimilarName(CapturedOutput output) {
		withVariable("DISTRIBUTEDLOCK_LOCKS_ORDERSYNC_WAITTIME", "3s").withBean(Sync.class)
			.run((context) -> assertThat(waitTime(context.getBean(LockDefinitions.class), "order:sync"))
				.isEqualTo("3s"));
		withVariable("DISTRIBUTEDLOCK_LOCKS_ORDERSYNC_ENABLED", "false").withBean(Sync.class)
			.run((context) -> assertThat(context.getBean(Sync.class).run()).isFalse());
		assertThat(output).doesNotContain("has no effect");
	}

	@Test
	void variableThatCouldMeanSeveralNamesIsRefused() {
		withVariable("DISTRIBUTEDLOCK_LOCKS_REPORT1_ENABLED", "false").withBean(Reports.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("environment variables DISTRIBUTEDLOCK_LOCKS_REPORT1_… could mean its name '")
				.hasStackTraceContaining("'. Set what they set in a file, under distributed-lock.locks["));
	}

	@Test
	void variableBesideAnExactNameIsTold(CapturedOutput output) {
		withVariable("DISTRIBUTEDLOCK_LOCKS_ORDERSYNC_WAITTIME", "3s").withBean(Sync.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addLast(new MapPropertySource("file", Map.of("distributed-lock.locks[order:sync].lease-time", "9s"))))
			.run((context) -> assertThat(waitTime(context.getBean(LockDefinitions.class), "order:sync"))
				.isEqualTo("5s"));
		assertThat(output).contains("distributed-lock.locks.ordersync has no effect");
	}

	@Test
	void variableThatMeansNothingIsTold(CapturedOutput output) {
		withVariable("DISTRIBUTEDLOCK_LOCKS_STOCK_WAITTIME", "3s").withBean(Sync.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("distributed-lock.locks.stock has no effect");
	}

	/** Spring Boot reads both names, so there is no warning. */
	@ParameterizedTest
	@ValueSource(strings = { "DISTRIBUTEDLOCK_WAITTIME", "DISTRIBUTED_LOCK_WAIT_TIME" })
	void variableIsReadWithoutDashesOrWithUnderscores(String variable, CapturedOutput output) {
		withVariable(variable, "77s").withBean(Sync.class)
			.run((context) -> assertThat(context.getBean(LockSettings.class).waitTime()).hasSeconds(77));
		assertThat(output).doesNotContain("environment variable");
	}

	@ParameterizedTest
	@CsvSource({ "DISTRIBUTED_LOCK_WAITTIME, DISTRIBUTEDLOCK_WAITTIME",
			"DISTRIBUTEDLOCK_WAIT_TIME, DISTRIBUTEDLOCK_WAITTIME",
			"Distributed_Lock_Wait_Time, DISTRIBUTEDLOCK_WAITTIME",
			"DISTRIBUTEDLOCK_STORES_SECOND_WEB_ENA_BLED, DISTRIBUTEDLOCK_STORES_SECOND_WEB_ENABLED",
			"distributedlock_wait_time, DISTRIBUTEDLOCK_WAITTIME",
			"DISTRIBUTEDLOCK_STORES_SECOND_TY_PE, DISTRIBUTEDLOCK_STORES_SECOND_TYPE",
			"DISTRIBUTED_LOCK_WEBENABLED, DISTRIBUTEDLOCK_WEB_ENABLED" })
	void variableThatIsNotReadIsTold(String variable, String name, CapturedOutput output) {
		withVariable(variable, "77s").withBean(Sync.class)
			.run((context) -> assertThat(context.getBean(LockSettings.class).waitTime()).hasSeconds(5));
		assertThat(output).containsOnlyOnce(
				"The environment variable " + variable + " has no effect. The name for the setting is " + name);
	}

	/** Spring Boot may find it when a file has other settings of the same lock. */
	@ParameterizedTest
	@CsvSource({ "DISTRIBUTED_LOCK_LOCKS_STOCK_WAIT_TIME, DISTRIBUTEDLOCK_LOCKS_",
			"DISTRIBUTED_LOCK_STORES_AUDIT_TYPE, DISTRIBUTEDLOCK_STORES_" })
	void variableOfALockWithTheGuessedPrefixIsTold(String variable, String begin, CapturedOutput output) {
		withVariable(variable, "3s").withBean(Sync.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("The environment variable " + variable
				+ " has no effect unless a file has settings of the same lock or store. The name for the setting begins "
				+ "with " + begin);
	}

	/** The second one is no setting of a store. */
	@ParameterizedTest
	@ValueSource(strings = { "DISTRIBUTED_LOCK_HOME", "DISTRIBUTEDLOCK_STORES_SECOND_WAIT_TIME" })
	void variableThatIsNoSettingIsNotTold(String variable, CapturedOutput output) {
		withVariable(variable, "3s").withBean(Sync.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(variable);
	}

	@Test
	void refusalsAreOnThePage() {
		DocPage page = DocPage.of("startup-messages.md");
		page.says(
				"its name is 'order:sync', so distributed-lock.locks.ordersync.store does not choose its store. Write "
						+ "the name exactly, in a file: distributed-lock.locks[order:sync].store");
		page.says("environment variables DISTRIBUTEDLOCK_LOCKS_REPORT1_… could mean its name 'report1' and also "
				+ "'report-1'. Set what they set in a file, under distributed-lock.locks[report1]");
		page.says("The properties distributed-lock.locks.report-1 and distributed-lock.locks.report1 have one name for "
				+ "Spring Boot, which gives each lock the settings of both. Write the names in brackets: "
				+ "distributed-lock.locks[report-1] and distributed-lock.locks[report1]");
	}

	private static String waitTime(LockDefinitions definitions, String name) {
		for (LockDefinition definition : definitions.all()) {
			if (definition.name().equals(name)) {
				return definition.settings().get("wait-time").value();
			}
		}
		throw new AssertionError("no lock " + name);
	}

	static class Reports {

		@DistributedLock(name = "report1")
		public boolean one() {
			return LockContext.current().isPresent();
		}

		@DistributedLock(name = "report-1")
		public boolean dashed() {
			return LockContext.current().isPresent();
		}

		@DistributedLock(name = "REPORT.1")
		public boolean upper() {
			return LockContext.current().isPresent();
		}

	}

	static class Sync {

		@DistributedLock(name = "order:sync")
		public boolean run() {
			return LockContext.current().isPresent();
		}

	}

}
