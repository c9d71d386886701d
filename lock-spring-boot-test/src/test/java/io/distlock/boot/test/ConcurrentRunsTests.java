package io.distlock.boot.test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.distlock.LockBusyException;
import io.distlock.LockStoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** JUnit runs tests of one context at the same time, each with keys of its own. */
class ConcurrentRunsTests {

	private static final int THREADS = 4;

	@Test
	void testsOfOneContextThenDoNotDisturbEachOther() {
		SummaryGeneratingListener results = new SummaryGeneratingListener();
		LauncherFactory
			.create(LauncherConfig.builder()
				.enableTestExecutionListenerAutoRegistration(false)
				.enablePostDiscoveryFilterAutoRegistration(false)
				.build())
			.execute(LauncherDiscoveryRequestBuilder.request()
				.selectors(DiscoverySelectors.selectClass(Cases.class))
				.configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
				.configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
				.configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "" + THREADS)
				.build(), results);
		assertThat(results.getSummary().getFailures())
			.extracting((failure) -> failure.getTestIdentifier().getDisplayName() + ": " + failure.getException())
			.isEmpty();
		assertThat(results.getSummary().getTestsSucceededCount()).isEqualTo(10 * THREADS);
	}

	/** Half of the tests end while others of them are under way. */
	@SpringJUnitConfig(Application.class)
	@AutoConfigureDistributedLocks
	static class Cases {

		private static final CountDownLatch SEVERAL = new CountDownLatch(2);

		@Autowired
		private Jobs jobs;

		@RepeatedTest(10 * THREADS)
		@Execution(ExecutionMode.CONCURRENT)
		void run(RepetitionInfo run, LockTester locks) throws Exception {
			String key = "" + run.getCurrentRepetition();
			SEVERAL.countDown();
			assertThat(SEVERAL.await(1, TimeUnit.MINUTES)).isTrue();
			locks.busy("job:" + key);
			assertThat(this.jobs.nightly(key)).isTrue();
			if (run.getCurrentRepetition() % 2 == 0) {
				return;
			}
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.jobs.run(key));
			assertThat(this.jobs.nightly(key)).isFalse();
			locks.storeFails("job:failing" + key);
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.run("failing" + key));
			assertThat(locks).acquired("nightly:" + key).once().refused("job:" + key).nothingHeld();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Jobs.class)
	static class Application {

	}

}
