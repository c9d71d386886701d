package io.distlock.retry;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The retry that Spring Framework has itself from version 7 on. */
class FrameworkRetryTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class))
		.withUserConfiguration(Retrying.class)
		.withBean(Jobs.class)
		.withPropertyValues("distributed-lock.store=memory");

	@Test
	void eachAttemptTakesTheLock() {
		this.runner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalStateException().isThrownBy(jobs::fail);
			assertThat(jobs.tokens()).hasSize(3).doesNotHaveDuplicates();
		});
	}

	@Test
	void busyLockIsRetried() {
		this.runner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			try (LockHandle held = context.getBean(LockTemplate.class)
				.acquireAsync(LockRequest.of("jobs:a"))
				.toCompletableFuture()
				.join()) {
				assertThatExceptionOfType(LockBusyException.class).isThrownBy(jobs::fail);
				held.ensureHeld();
			}
			assertThat(jobs.asked()).isEqualTo(3);
			assertThat(jobs.tokens()).isEmpty();
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	static class Retrying {

	}

	static class Jobs {

		private final List<Long> tokens = new ArrayList<>();

		private final AtomicInteger asked = new AtomicInteger();

		@Retryable(maxRetries = 2, delay = 0)
		@DistributedLock(name = "jobs", key = "#root.target.key()", waitTime = "0")
		public void fail() {
			this.tokens.add(LockContext.current().orElseThrow().fencingToken());
			throw new IllegalStateException("failed");
		}

		public String key() {
			this.asked.incrementAndGet();
			return "a";
		}

		List<Long> tokens() {
			return this.tokens;
		}

		int asked() {
			return this.asked.get();
		}

	}

}
