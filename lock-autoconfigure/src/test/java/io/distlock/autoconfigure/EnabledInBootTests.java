package io.distlock.autoconfigure;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.Configuration;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.spring.EnableDistributedLocks;
import io.distlock.spring.startup.LockDefinition;
import io.distlock.spring.startup.LockDefinitions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code @EnableDistributedLocks} in a Spring Boot application, which does not need it.
 */
class EnabledInBootTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withBean(Stock.class)
		.withPropertyValues("distributed-lock.store=memory");

	@Test
	void propertiesCount() {
		this.runner.withUserConfiguration(Enabled.class)
			.withPropertyValues("distributed-lock.locks.stock.wait-time=77s",
					"distributed-lock.locks.off.enabled=false", "distributed-lock.advice-order=7")
			.run((context) -> {
				LockDefinition stock = context.getBean(LockDefinitions.class)
					.all()
					.stream()
					.filter((definition) -> definition.name().equals("stock"))
					.findFirst()
					.orElseThrow();
				assertThat(stock.settings().get("wait-time").value()).isEqualTo("77s");
				assertThat(context.getBean(Stock.class).sell()).isTrue();
				assertThat(context.getBean(Stock.class).switchedOff()).isFalse();
			});
	}

	@Test
	void attributesThatWouldHaveNoEffectAreRefused() {
		this.runner.withUserConfiguration(Otherwise.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("these attributes of @EnableDistributedLocks have no effect: ")
				.message()
				.contains("order", "distributed-lock.advice-order", "commitGuard", "distributed-lock.commit-guard",
						"mode", "distributed-lock.advice-mode"));
	}

	@Test
	void attributesThatAgreeWithThePropertiesAreNotRefused() {
		this.runner.withUserConfiguration(Agreeing.class)
			.withPropertyValues("distributed-lock.advice-order=7", "distributed-lock.commit-guard=false")
			.run((context) -> assertThat(context.getBean(Stock.class).sell()).isTrue());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	static class Enabled {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks(order = 7, commitGuard = false, mode = AdviceMode.ASPECTJ)
	static class Otherwise {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks(order = 7, commitGuard = false)
	static class Agreeing {

	}

	static class Stock {

		@DistributedLock(name = "stock")
		boolean sell() {
			return LockContext.current().isPresent();
		}

		@DistributedLock(name = "off")
		boolean switchedOff() {
			return LockContext.current().isPresent();
		}

	}

}
