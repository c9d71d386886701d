package io.distlock.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.DistributedLock;
import io.distlock.LockMode;
import io.distlock.LockTemplate;
import io.distlock.docs.DocPage;

import static org.assertj.core.api.Assertions.assertThat;

/** What is logged about annotated methods that may be meant as they are. */
@ExtendWith(OutputCaptureExtension.class)
class StartupWarningTests {

	private static final String MEMORY = "distributed-lock.store=memory";

	private static final DocPage PAGE = DocPage.of("startup-checks.md");

	@Test
	void warningOfSettingsThatNobodyHasIsOnThePage(CapturedOutput output) {
		LockApplications
			.start(false, FailureAnalysisTests.Sound.class, MEMORY, "distributed-lock.locks.stok.wait-time=1s")
			.close();
		String warning = "distributed-lock.locks.stok has no effect: no annotated method has this name. Names are: [stock]";
		assertThat(output).contains(warning);
		PAGE.says(warning);
	}

	@Test
	void sharedWithoutExclusiveIsWarnedOfOnce(CapturedOutput output) {
		LockApplications.start(false, Readers.class, MEMORY).close();
		assertThat(output.toString().split("WARN", -1)).hasSize(2);
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
