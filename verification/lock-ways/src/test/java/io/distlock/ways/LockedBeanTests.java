package io.distlock.ways;

import io.distlock.DistributedLock;
import io.distlock.LockContext;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The libraries of this module start together, and a plain bean is locked beside them.
 */
@SpringBootTest(properties = "distributed-lock.store=memory")
class LockedBeanTests {

	@Autowired
	private Reports reports;

	@Autowired
	private KotlinReports kotlin;

	@Test
	void methodOfPlainBeanRunsUnderLock() {
		assertThat(this.reports.key()).isEqualTo("report");
	}

	@Test
	void methodOfKotlinBeanRunsUnderLock() {
		assertThat(this.kotlin.key("7")).isEqualTo("report:7");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Reports.class, KotlinReports.class })
	static class App {

	}

	static class Reports {

		@DistributedLock(name = "report")
		String key() {
			return LockContext.current().orElseThrow().key();
		}

	}

}
