package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.StoreCheckResult;

import static org.assertj.core.api.Assertions.assertThat;

/** What an application does with the stores that a factory makes. */
class MadeStoresTests {

	private final AtomicInteger checks = new AtomicInteger();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withBean("limited", LockStoreFactory.class, () -> new Limited(this.checks))
		.withPropertyValues("distributed-lock.store=limited");

	@Test
	void leaseThatACustomizerShortensFits() {
		this.runner
			.withBean(LockSettingsBuilderCustomizer.class,
					() -> (settings) -> settings.leaseTime(Duration.ofSeconds(10)))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void leaseOfOwnSettingsIsCompared() {
		this.runner.withBean(LockSettings.class, () -> LockSettings.builder().leaseTime(Duration.ofSeconds(10)).build())
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withBean(LockSettings.class, () -> LockSettings.builder().leaseTime(Duration.ofSeconds(21)).build())
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("The property distributed-lock.limited.quarantine is 20s but must be at least the longest "
						+ "lease, and the lease time of the LockSettings is 21s. Raise it to 21s or more, or shorten "
						+ "the lease."));
	}

	@Test
	void wrongSettingOfACustomizerSaysWhatToChange() {
		this.runner
			.withBean(LockSettingsBuilderCustomizer.class,
					() -> (settings) -> settings.commandTimeout(Duration.ofSeconds(11)))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("LockConfigurationException: The settings of distributed-lock.* cannot work: "
						+ "Command timeout must be more than 0 and at most a third of the lease time (30s), was 11s. "
						+ "Correct the property, or the LockSettingsBuilderCustomizer bean if one sets the value."));
	}

	@Test
	void storeThatIsMadeLateIsCheckedOnce() {
		this.runner.withPropertyValues("distributed-lock.lease-time=20s")
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				context.getBean(LockTemplate.class).acquire("a").close();
				assertThat(this.checks).hasValue(1);
			});
	}

	private record Limited(AtomicInteger checks) implements LockStoreFactory {

		@Override
		public String type() {
			return "limited";
		}

		@Override
		public CreatedStore create(Definition definition) {
			return new CreatedStore(new InMemoryLockStore())
				.withQuarantine(definition.path() + "limited.quarantine", Duration.ofSeconds(20))
				.checkedBy(new StoreCheck(StoreCheck.Mode.FAIL, "", "", "", () -> {
					this.checks.incrementAndGet();
					return new StoreCheckResult.Passed();
				}));
		}

	}

}
