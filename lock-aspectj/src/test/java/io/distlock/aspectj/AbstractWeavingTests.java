package io.distlock.aspectj;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import io.distlock.output.DocPage;
import io.distlock.test.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/** What woven methods do, however they were woven. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractWeavingTests {

	private static final String NO_CONTEXT = "IllegalStateException: @DistributedLock on WovenBeans.Stock.hidden(String): "
			+ "the method is woven, but no application context is there to lock it. It was called before the context was "
			+ "configured or after it was closed, or distributed-lock.advice-mode is not 'aspectj'. The method was not run";

	private static final Duration LIMIT = Duration.ofMinutes(10);

	private List<String> lines;

	private Map<String, String> outcomes;

	/** Runs all scenarios in another JVM and gives what it printed. */
	protected abstract List<String> runScenarios() throws Exception;

	/** Runs scenarios with more in front of this class path, with or without a weaver. */
	static List<String> run(String classPath, List<String> options, String... scenarios) {
		try (ChildJvm child = ChildJvm.of(WovenScenarios.class)
			.classPath(classPath + System.getProperty("java.class.path"))
			.options(options)
			.args(scenarios)
			.start()) {
			int status = child.awaitExit(LIMIT);
			assertThat(status).as(child.output()).isZero();
			return child.lines();
		}
	}

	@BeforeAll
	void run() throws Exception {
		this.lines = runScenarios();
		this.outcomes = WovenScenarios.outcomes(this.lines);
	}

	private void assertOutcome(String scenario, String expected) {
		assertThat(this.outcomes).as(() -> String.join("\n", this.lines)).containsEntry(scenario, expected);
	}

	@Test
	void callWithinTheSameObjectIsLocked() {
		assertOutcome("selfInvocation", "returned [stock:a]");
		assertOutcome("nestedSelfInvocation", "returned [stock:b, stock:a]");
		assertOutcome("recursion", "returned [stock:b, stock:a]");
	}

	@Test
	void privateAndFinalMethodsAndFinalClassesAreLocked() {
		assertOutcome("privateMethod", "returned [private:a]");
		assertOutcome("finalMethod", "returned [final]");
		assertOutcome("finalClass", "returned [final class]");
	}

	@Test
	void callThroughAProxyIsLockedOnce() {
		assertOutcome("throughTheProxy", "returned true [stock:a]");
		assertOutcome("adviceThatProceedsTwice", "returned [[retried], [retried]]");
	}

	@Test
	void transactionOfAProxyBeginsUnderTheLock() {
		assertOutcome("transaction", "returned [ledger] [ledger]");
	}

	@Test
	void fencingTokenIsPassed() {
		assertOutcome("fencingToken", "returned true");
	}

	@Test
	void stageIsLockedUntilItCompletes() {
		assertOutcome("stage", "returned [stage:a] done, busy true then false");
		assertOutcome("stageThroughTheProxy", "returned [stage:a]done, busy true then false");
		assertOutcome("stageWithOtherAspect", "returned [stage:a]done, busy true then false, counted 1");
	}

	@Test
	void publisherIsLockedForEachSubscription() {
		assertOutcome("mono", "returned mono:a done, busy true then false");
		assertOutcome("monoSubscribedTwice", "returned mono:a done, mono:a done");
		assertOutcome("fluxWithOtherAspect", "returned [flux:adone, flux:adone], busy true then false, counted 1");
	}

	@Test
	void busyLockIsSkippedOrReplaced() {
		assertOutcome("skipAndFallback", "returned [-1, instead of a wait[], null, instead]");
	}

	@Test
	void semaphoreGivesItsPermits() {
		assertOutcome("semaphore", "returned two[permits, permits]");
	}

	@Test
	void annotationOfTheClassAppliesToPublicMethods() {
		assertOutcome("classLevel", "returned [[class], 2, [], []]");
	}

	@Test
	void metaAnnotationsGiveTheirAttributes() {
		assertOutcome("metaAnnotations", "returned [[meta:a], [meta:book], [meta:book]]");
	}

	@Test
	void busyLockIsRefused() {
		assertOutcome("busy", "returned LockBusyException: Lock 'wait' is busy: not acquired within 0s");
	}

	@Test
	void beansOfSeveralContextsUseTheirOwnLocks() {
		assertOutcome("twoContexts",
				"returned LockBusyException, returned ran, IllegalStateException: @DistributedLock on "
						+ "WovenBeans.Stock.impatient(): there are several application contexts, and the object is a bean "
						+ "of none of them, so it is not known whose locks are meant. The method was not run");
	}

	@Test
	void withoutAContextTheMethodDoesNotRun() {
		assertOutcome("beforeTheContext", "returned " + NO_CONTEXT);
		assertOutcome("afterTheContext", "returned " + NO_CONTEXT);
		DocPage.of("startup-messages.md")
			.says(NO_CONTEXT.replaceFirst(".*?@", "@")
				.replace("WovenBeans.Stock.hidden(String)", "StockService.deduct(String)"));
	}

	@Test
	void switchedOffTheMethodRunsUnlockedWithAWarning() {
		assertOutcome("disabled", "returned []");
		assertThat(this.lines).anyMatch((line) -> line.contains("WARN") && line
			.contains("distributed-lock.enabled is false: methods annotated with @DistributedLock run without a lock"));
	}

	@Test
	void proxyModeRefusesWhatOnlyWeavingCanLock() {
		assertThat(this.outcomes.get("proxyMode")).contains("the class WovenBeans.FinalStock is final")
			.endsWith(" / " + NO_CONTEXT);
	}

	@Test
	void whatIsNotWovenIsRefusedAtStartup() {
		assertOutcome("annotationOnAnInterface",
				"InvalidLockDefinitionException: Bean 'wovenBeans.ApiBean': @DistributedLock on WovenBeans.ApiBean.run(): "
						+ "distributed-lock.advice-mode is 'aspectj', but the method was not woven. Start the JVM with "
						+ "-javaagent:aspectjweaver.jar or weave at compile time; the annotation must be on the method or "
						+ "class itself, not on an interface or a superclass's method");
		DocPage.of("startup-messages.md")
			.says(this.outcomes.get("annotationOnAnInterface")
				.replaceFirst(".*?@", "@")
				.replace("WovenBeans.ApiBean.run()", "StockService.deduct(String)"));
		assertOutcome("asyncInside",
				"InvalidLockDefinitionException: Bean 'io.distlock.aspectj.WovenBeans$AsyncBean': @DistributedLock on "
						+ "WovenBeans.AsyncBean.run(): @Async hands the call to another thread inside of the lock, which "
						+ "would be released before the work is done. Leave order and mode of @EnableAsync at their "
						+ "defaults, so that the lock is taken on that thread");
		assertOutcome("staticMethod",
				"InvalidLockDefinitionException: Bean 'wovenBeans.StaticBean': @DistributedLock on "
						+ "WovenBeans.StaticBean.run(): the method is static, so there is no bean whose application could "
						+ "lock it. Make it an instance method, or take the lock in its body with LockTemplate");
	}

}
