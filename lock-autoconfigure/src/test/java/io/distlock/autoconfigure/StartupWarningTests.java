package io.distlock.autoconfigure;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.scheduling.annotation.Scheduled;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockMode;
import io.distlock.LockTemplate;
import io.distlock.OnBusy;
import io.distlock.output.DocPage;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.startup.LockDefinitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What is logged about annotated methods that may be meant as they are. */
@ExtendWith(OutputCaptureExtension.class)
class StartupWarningTests {

	private static final Pattern OWN_WARNING = Pattern.compile(" WARN .*\\] (io\\.distlock|i\\.distlock|i\\.d)\\.");

	private static final String MEMORY = "distributed-lock.store=memory";

	private static final DocPage PAGE = DocPage.of("startup-messages.md");

	/** Returns the warnings of locks. Pools of earlier tests may warn too. */
	private static List<String> warnings(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> OWN_WARNING.matcher(line).find()).toList();
	}

	@Test
	void warningOfSettingsThatNobodyHasIsOnThePage(CapturedOutput output) {
		LockApplications
			.start(false, FailureAnalysisTests.Sound.class, MEMORY, "distributed-lock.locks.stok.wait-time=1s")
			.close();
		String warning = "distributed-lock.locks.stok has no effect: no annotated method has this name. Names are: [stock]";
		assertThat(warnings(output)).singleElement().asString().contains(warning);
		PAGE.says(warning);
	}

	@Test
	void warningOfCallsThatBypassTheProxyCanBeSwitchedOff(CapturedOutput output) {
		LockApplications
			.start(false, SelfCalling.class, MEMORY,
					"logging.level.io.distlock.spring.startup.SelfInvocationCheck=error")
			.close();
		assertThat(output).doesNotContain("bypasses the proxy");
		LockApplications.start(false, SelfCalling.class, MEMORY).close();
		assertThat(output).contains("bypasses the proxy");
	}

	@Test
	void callsThatBypassTheProxyFailTheStartIfThePropertySaysSo(CapturedOutput output) {
		assertThat(catchThrowable(() -> LockApplications
			.start(false, SelfCalling.class, MEMORY, "distributed-lock.self-invocation=fail",
					"logging.level.io.distlock.spring.startup.SelfInvocationCheck=error")
			.close())).isInstanceOf(InvalidLockDefinitionException.class)
			.hasMessageContainingAll("StartupWarningTests.", "(StartupWarningTests.java:",
					"which bypasses the proxy: it runs without", "Move the called method to another bean");
		assertThat(output).contains("APPLICATION FAILED TO START", "(StartupWarningTests.java:");
	}

	@Test
	void startWithoutSuchCallsDoesNotFail() {
		LockApplications.start(false, Readers.class, MEMORY, "distributed-lock.self-invocation=fail").close();
	}

	@Test
	void sharedWithoutExclusiveIsWarnedOfOnce(CapturedOutput output) {
		LockApplications.start(false, Readers.class, MEMORY).close();
		assertThat(warnings(output)).hasSize(1);
		assertThat(output)
			.contains("Lock 'prices' is acquired in SHARED mode only, by StartupWarningTests.Readers.one(), "
					+ "StartupWarningTests.Readers.two(), so no caller in this application excludes another. "
					+ "Ignore this if another application, or code with LockTemplate, acquires it exclusively.")
			.doesNotContain("'catalogue'");
		PAGE.says("Lock 'prices' is acquired in SHARED mode only, by StockService.price(String), so no caller in this "
				+ "application excludes another. Ignore this if another application, or code with LockTemplate, "
				+ "acquires it exclusively.");
	}

	@Test
	void beansThatInheritAMethodWithoutANameAreWarnedOfOnce(CapturedOutput output) {
		LockApplications.start(false, Jobs.class, MEMORY).close();
		assertThat(output.toString().split("has no name and no key", -1)).hasSize(2);
		assertThat(output)
			.contains("@DistributedLock of StartupWarningTests.Job.run() has no name and no key, so it is "
					+ "one lock for all beans that have the method: 'cleanup', 'report'. If each is to have its own, write "
					+ "key = \"#root.targetClass.name\"; if not, give it a name.");
		PAGE.says("@DistributedLock of Job.run() has no name and no key, so it is one lock for all beans that have the "
				+ "method: 'cleanup', 'report'. If each is to have its own, write key = \"#root.targetClass.name\"; if not, "
				+ "give it a name.");
	}

	@Test
	void bareKeysOfSeveralClassesAreWarnedOfOnce(CapturedOutput output) {
		LockApplications.start(false, BareKeys.class, MEMORY).close();
		assertThat(warnings(output)).hasSize(1);
		String warning = "They lock the bare value, so calls of different methods with equal values exclude each other. "
				+ "Give them names, the same name only to those that are to exclude each other.";
		assertThat(output).contains("Methods of several classes have a key and no name: "
				+ "StartupWarningTests.Orders.sell(String), StartupWarningTests.Payments.pay(String). " + warning);
		PAGE.says("Methods of several classes have a key and no name: OrderService.sell(String), "
				+ "PaymentService.pay(String). " + warning);
	}

	@Test
	void keysThatTellClassesApartAreNotWarnedOf(CapturedOutput output) {
		LockApplications.start(false, OtherKeys.class, MEMORY).close();
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void constantAmongSeveralKeysIsWarnedOf(CapturedOutput output) {
		LockApplications.start(false, Wallets.class, MEMORY).close();
		String warning = "the key 'pay' is the same in each call, and each key is a lock of its own, so all calls of the "
				+ "method exclude each other. For one lock write one key: key = \"'pay:' + …\". For calls that exclude "
				+ "each other the other keys are useless.";
		assertThat(warnings(output)).hasSize(2);
		assertThat(output).contains("@DistributedLock on StartupWarningTests.Wallets.pay(String): " + warning)
			.contains("@DistributedLock on StartupWarningTests.Wallets.list(String): the key 'a1' is the same");
		PAGE.says("@DistributedLock on WalletService.pay(String): " + warning);
	}

	@Test
	void sameConstantWithoutANameIsWarnedOf(CapturedOutput output) {
		LockApplications.start(false, Constants.class, MEMORY).close();
		assertThat(warnings(output)).hasSize(1);
		String warning = "Give them names, the same name only to those that are to exclude each other.";
		assertThat(output).contains("Methods have the fixed key '1' and no name, so they share one lock: "
				+ "StartupWarningTests.Constants.one(), StartupWarningTests.Constants.two(). " + warning);
		PAGE.says("Methods have the fixed key '1' and no name, so they share one lock: OrderService.close(), "
				+ "OrderService.open(). " + warning);
	}

	@Test
	void referenceInAFixedTextIsWarnedOf(CapturedOutput output) {
		LockApplications.start(false, FixedTexts.class, MEMORY).close();
		assertThat(warnings(output)).hasSize(4);
		String inKey = " is a fixed text, the same for each value of #id. Leave the quotes out where an expression is "
				+ "meant: key = \"#id\"";
		String inName = " is a fixed text, the same for each value of #id. Put the value into the key: key = \"#id\"";
		assertThat(output)
			.contains("@DistributedLock on StartupWarningTests.FixedTexts.key(String): the key '#id'" + inKey)
			.contains("@DistributedLock on StartupWarningTests.FixedTexts.part(String): the key 'q:#id'" + inKey)
			.contains("@DistributedLock on StartupWarningTests.FixedTexts.name(String): the name 'n:#id'" + inName)
			.contains("@DistributedSemaphore on StartupWarningTests.FixedTexts.permits(String): the name 's:#p0' is a "
					+ "fixed text, the same for each value of #p0.");
		PAGE.says("@DistributedLock on StockService.deduct(String): the key 'stock:#id'" + inKey);
		PAGE.says("@DistributedLock on StockService.deduct(String): the name 'stock:#id'" + inName);
	}

	@Test
	void jobThatEachInstanceRunsIsWarnedOfOnce(CapturedOutput output) {
		LockApplications.start(false, ScheduledJobs.class, MEMORY).close();
		assertThat(warnings(output)).hasSize(1);
		String recipe = "To run them on one instance for each time of the schedule, write waitTime = \"0\", onBusy = "
				+ "OnBusy.SKIP and a minHold such as \"30s\", longer than the clocks of the instances differ. Ignore this "
				+ "if each instance is to run them.";
		assertThat(output).contains("With @Scheduled each instance runs these methods, one instance after the other: "
				+ "StartupWarningTests.ScheduledJobs.brief() (no minHold), "
				+ "StartupWarningTests.ScheduledJobs.defaults() (waits 5s, no minHold), "
				+ "StartupWarningTests.ScheduledJobs.meta() (waits 5s, no minHold), "
				+ "StartupWarningTests.ScheduledJobs.twice() (waits 1s). " + recipe);
		PAGE.says("With @Scheduled each instance runs these methods, one instance after the other: "
				+ "ReportJob.nightly() (waits 5s, no minHold). " + recipe);
	}

	@Test
	void jobOfTheRecipeIsNotWarnedOf(CapturedOutput output) {
		LockApplications.start(false, SoundJobs.class, MEMORY).close();
		LockApplications
			.start(false, ConfiguredJob.class, MEMORY, "distributed-lock.wait-time=0s",
					"distributed-lock.locks.report.min-hold=30s")
			.close();
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void settingsOfANameWithADashComeFromAPortableEnvironmentVariable(CapturedOutput output) {
		try (ConfigurableApplicationContext context = withEnvironment("DISTRIBUTEDLOCK_LOCKS_NIGHTLYREPORT_WAITTIME")) {
			assertThat(
					context.getBean(LockDefinitions.class).all().iterator().next().settings().get("wait-time").value())
				.isEqualTo("77s");
		}
		assertThat(warnings(output)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "DISTRIBUTEDLOCK_LOCKS_NIGHTLY_REPORT_WAITTIME",
			"DISTRIBUTEDLOCK_LOCKS_NIGHTLYREPORT_WAIT_TIME", "distributedlock_locks_nightly_report_wait_time" })
	void environmentVariableThatIsIgnoredIsWarnedOf(String variable, CapturedOutput output) {
		withEnvironment(variable).close();
		assertThat(output).containsOnlyOnce("The environment variable " + variable
				+ " has no effect: dashes are left out in it. The name for the setting is "
				+ "DISTRIBUTEDLOCK_LOCKS_NIGHTLYREPORT_WAITTIME");
	}

	/** Keys find their store by the name itself, which no variable can say. */
	@ParameterizedTest
	@ValueSource(
			strings = { "DISTRIBUTEDLOCK_LOCKS_NIGHTLY_REPORT_STORE", "DISTRIBUTEDLOCK_LOCKS_NIGHTLY_REPORT_STORE_0" })
	void environmentVariableThatIsIgnoredWhenOfTheStoreThenAFileIsNamed(String variable, CapturedOutput output) {
		LockVariables.warn(environment(variable));
		assertThat(output)
			.containsOnlyOnce("The environment variable " + variable
					+ " has no effect: a variable chooses the store of "
					+ "a lock only if the name of the lock has lower-case letters and digits alone. Set it in a file")
			.doesNotContain("The name for the setting");
	}

	/** A variable that is no setting may belong to another program. */
	@ParameterizedTest
	@ValueSource(strings = { "DISTRIBUTEDLOCK_LOCKS_NIGHTLYREPORT_STORE_0", "DISTRIBUTEDLOCK_LOCKS_WAITTIME",
			"DISTRIBUTEDLOCK_WAITTIME", "LOCKS_A_B_WAIT_TIME" })
	void otherEnvironmentVariablesAreNotWarnedOf(String variable, CapturedOutput output) {
		LockVariables.warn(environment(variable));
		assertThat(warnings(output)).isEmpty();
	}

	private static ConfigurableEnvironment environment(String variable) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(variable, "77s")));
		return environment;
	}

	private static ConfigurableApplicationContext withEnvironment(String variable) {
		return LockApplications.start(environment(variable), NightlyReport.class, MEMORY);
	}

	static class SelfCalling {

		@DistributedLock(name = "stock")
		public void sell() {
		}

		public void sellAll() {
			sell();
		}

	}

	static class NightlyReport {

		@DistributedLock(name = "nightly-report")
		public void run() {
		}

	}

	static class Wallets {

		@DistributedLock(name = "wallet", keys = { "'pay'", "#id" })
		public void pay(String id) {
		}

		@DistributedLock(name = "wallet", key = "{'a' + 1, #id}")
		public void list(String id) {
		}

		@DistributedLock(name = "wallet", keys = { "'all'", "'none'" })
		public void fixed() {
		}

	}

	static class Constants {

		@DistributedLock(keys = "1")
		public void one() {
		}

		@DistributedLock(key = "'1'")
		public void two() {
		}

		@DistributedLock(key = "'2'")
		public void alone() {
		}

		@DistributedLock(name = "named", key = "'1'")
		public void named() {
		}

	}

	static class FixedTexts {

		@DistributedLock(name = "texts", key = "'#id'")
		public void key(String id) {
		}

		@DistributedLock(name = "texts", keys = { "'q:' + '#id'" })
		public void part(String id) {
		}

		@DistributedLock(name = "n:#id")
		public void name(String id) {
		}

		@DistributedSemaphore(name = "s:#p0", permits = "2")
		public void permits(String id) {
		}

		@DistributedLock(name = "issue#idle", key = "'no#idea #1'")
		public void sound(String id) {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Scheduled(cron = "0 0 3 * * *")
	@interface Nightly {

	}

	static class ScheduledJobs {

		@Scheduled(cron = "0 0 3 * * *")
		@DistributedLock(name = "defaults")
		public void defaults() {
		}

		@Scheduled(cron = "0 0 3 * * *")
		@DistributedLock(name = "brief", waitTime = "0", onBusy = OnBusy.SKIP)
		public void brief() {
		}

		@Scheduled(cron = "0 0 3 * * *")
		@Scheduled(cron = "0 0 4 * * *")
		@DistributedLock(name = "twice", waitTime = "1s", minHold = "30s")
		public void twice() {
		}

		@Nightly
		@DistributedLock(name = "meta")
		public void meta() {
		}

	}

	static class SoundJobs {

		@Scheduled(cron = "0 0 3 * * *")
		@DistributedLock(name = "nightly-report", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "30s")
		public void nightly() {
		}

		@Scheduled(cron = "0 0 3 * * *")
		public void unlocked() {
		}

		@Scheduled(cron = "0 0 3 * * *")
		@DistributedSemaphore(name = "some", permits = "2")
		public void some() {
		}

	}

	static class ConfiguredJob {

		@Scheduled(cron = "0 0 3 * * *")
		@DistributedLock(name = "report")
		public void nightly() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Orders.class, Payments.class })
	static class BareKeys {

	}

	static class Orders {

		@DistributedLock(key = "#id")
		public void sell(String id) {
		}

	}

	static class Payments {

		@DistributedLock(key = "#order.trim()")
		public void pay(String order) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Orders.class, Named.class })
	static class OtherKeys {

	}

	static class Named {

		@DistributedLock(name = "payment", key = "#id")
		public void pay(String id) {
		}

		@DistributedLock(key = "'payment:' + #id")
		public void payLater(String id) {
		}

		@DistributedLock(key = "#root.targetClass.name")
		public void report() {
		}

		@DistributedLock
		public void clean() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Jobs {

		@Bean
		Job report() {
			return new Job() {

			};
		}

		@Bean
		Job cleanup() {
			return new Job() {

			};
		}

		@Bean
		KeyedJob first() {
			return new KeyedJob() {

			};
		}

		@Bean
		KeyedJob second() {
			return new KeyedJob() {

			};
		}

	}

	abstract static class Job {

		@DistributedLock
		public void run() {
		}

	}

	abstract static class KeyedJob {

		@DistributedLock(key = "#root.targetClass.name")
		public void run() {
		}

	}

	static class Readers {

		@DistributedLock(name = "prices", mode = LockMode.SHARED)
		public void one() {
		}

		@DistributedLock(name = "prices", mode = LockMode.SHARED)
		public void two() {
		}

		@DistributedLock(name = "catalogue", mode = LockMode.SHARED)
		public void read() {
		}

		@DistributedLock(name = "catalogue")
		public void write() {
		}

	}

}
