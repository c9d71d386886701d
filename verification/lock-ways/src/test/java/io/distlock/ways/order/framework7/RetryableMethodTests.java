package io.distlock.ways.order.framework7;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.output.DocPage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.InvocationRejectedException;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The resilient methods of Spring Framework 7 in the table of order. */
@Tag("ci")
class RetryableMethodTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withPropertyValues("distributed-lock.store=memory")
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class))
		.withUserConfiguration(Resilient.class);

	@Test
	void eachAttemptTakesTheLock() {
		this.application.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalStateException().isThrownBy(jobs::fail);
			assertThat(jobs.tokens()).hasSize(3).doesNotHaveDuplicates();
		});
		DocPage.of("annotation.md").says("| `@Retryable` of Spring Framework 7 | outside");
	}

	/** The key is evaluated before the lock is taken. A further call is refused then. */
	@Test
	void callerCountsBeforeItHasTheLock() {
		this.application.run((context) -> {
			context.getBean(Jobs.class).limited();
			assertThat(context.getBean(Keys.class).refused).isTrue();
		});
		DocPage.of("annotation.md").says("| `@ConcurrencyLimit` of Spring Framework 7 | outside");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	static class Resilient {

		@Bean
		Jobs jobs() {
			return new Jobs();
		}

		@Bean
		Keys keys(ObjectProvider<Jobs> jobs) {
			return new Keys(jobs);
		}

	}

	static class Jobs {

		private final List<Long> tokens = new CopyOnWriteArrayList<>();

		List<Long> tokens() {
			return this.tokens;
		}

		@Retryable(maxRetries = 2, delay = 0)
		@DistributedLock(name = "job")
		void fail() {
			this.tokens.add(LockContext.current().orElseThrow().fencingToken());
			throw new IllegalStateException("fails");
		}

		@ConcurrencyLimit(value = 1, policy = ConcurrencyLimit.ThrottlePolicy.REJECT)
		@DistributedLock(name = "limited", key = "@keys.key()")
		void limited() {
		}

	}

	/** Calls the method once more while its key is evaluated. */
	static class Keys {

		private final ObjectProvider<Jobs> jobs;

		private boolean calling;

		private boolean refused;

		Keys(ObjectProvider<Jobs> jobs) {
			this.jobs = jobs;
		}

		public String key() {
			if (!this.calling) {
				this.calling = true;
				try {
					this.jobs.getObject().limited();
				}
				catch (InvocationRejectedException ex) {
					this.refused = true;
				}
			}
			return "a";
		}

	}

}
