package io.distlock.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The order of the lock and of the retries that Spring Framework has since version 7. */
@Tag("ci")
class ResilientMethodTests {

	@Test
	void retryWhenOrdersAreTheDefaultsThenEachAttemptTakesTheLockAndABusyOneIsRetried() {
		try (ConfigurableApplicationContext context = LockApplications.start(Application.class,
				"distributed-lock.store=memory")) {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalStateException().isThrownBy(jobs::fail);
			assertThat(Set.copyOf(jobs.tokens())).as("of three attempts").hasSize(3);
			try (LockHandle held = context.getBean(LockTemplate.class)
				.acquireAsync(LockRequest.of("jobs:a"))
				.toCompletableFuture()
				.join()) {
				assertThatExceptionOfType(LockBusyException.class).isThrownBy(jobs::fail);
			}
			assertThat(context.getBean(Asked.class).times).as("asked for the lock").isEqualTo(6);
		}
	}

	@Test
	void busyLockWhenOnlyOtherFailuresAreIncludedThenNotRetried() {
		try (ConfigurableApplicationContext context = LockApplications.start(Application.class,
				"distributed-lock.store=memory");
				LockHandle held = context.getBean(LockTemplate.class)
					.acquireAsync(LockRequest.of("jobs:a"))
					.toCompletableFuture()
					.join()) {
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(context.getBean(Jobs.class)::picky);
			assertThat(context.getBean(Asked.class).times).as("asked for the lock").isOne();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	@Import({ Jobs.class, Asked.class })
	static class Application {

	}

	/** Counts how often the key is wanted, which is once for each acquisition. */
	@Component("asked")
	public static class Asked {

		private volatile int times;

		public synchronized String key() {
			this.times++;
			return "a";
		}

	}

	static class Jobs {

		private final List<Long> tokens = new ArrayList<>();

		@Retryable(maxRetries = 2, delay = 1)
		@DistributedLock(name = "jobs", key = "@asked.key()", waitTime = "0")
		public void fail() {
			this.tokens.add(LockContext.current().orElseThrow().fencingToken());
			throw new IllegalStateException("failed");
		}

		@Retryable(includes = IllegalStateException.class, maxRetries = 2, delay = 1)
		@DistributedLock(name = "jobs", key = "@asked.key()", waitTime = "0")
		public void picky() {
		}

		List<Long> tokens() {
			return this.tokens;
		}

	}

}
