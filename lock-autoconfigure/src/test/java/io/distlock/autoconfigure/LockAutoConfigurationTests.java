package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Supplier;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.OnLost;
import io.distlock.ReleaseMode;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockStore;
import io.distlock.spring.ConfiguredLock;
import io.distlock.test.Pause;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class LockAutoConfigurationTests {

	private final ApplicationContextRunner empty = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis());

	private final ApplicationContextRunner runner = this.empty.withPropertyValues("distributed-lock.store=memory");

	@Test
	void templateWorksWithDefaults() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(LockTemplate.class).hasSingleBean(InMemoryLockStore.class);
			assertThat(context.getBean(LockSettings.class)).usingRecursiveComparison()
				.ignoringFields("host")
				.isEqualTo(LockSettings.DEFAULTS);
			assertThat(context.getBean(LockSettings.class).host()).isNotBlank();
			assertThat(context.getBean(LockProperties.class).shutdownTimeout()).isEqualTo(Duration.ofSeconds(10));
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
				assertThat(lock.isHeld()).isTrue();
			}
		});
	}

	@Test
	void propertiesBecomeSettings() {
		this.runner
			.withPropertyValues("distributed-lock.wait-time=1m", "distributed-lock.lease-time=PT12S",
					"distributed-lock.command-timeout=300", "spring.application.name=shop", "HOSTNAME=pod-7",
					"distributed-lock.release=sent", "distributed-lock.max-waiters=100",
					"distributed-lock.on-lost=interrupt", "distributed-lock.max-hold=5m",
					"distributed-lock.locks.stock.max-waiters=7", "distributed-lock.locks.stock.wait-time=3s",
					"distributed-lock.locks[a.b].lease-time=4s")
			.run((context) -> {
				assertThat(context.getBean(LockSettings.class)).isEqualTo(LockSettings.builder()
					.waitTime(Duration.ofMinutes(1))
					.leaseTime(Duration.ofSeconds(12))
					.commandTimeout(Duration.ofMillis(300))
					.release(ReleaseMode.SENT)
					.maxWaiters(100)
					.onLost(OnLost.INTERRUPT)
					.maxHold(Duration.ofMinutes(5))
					.application("shop")
					.host("pod-7")
					.build());
				assertThat(context.getBean(LockProperties.class).configured(Set.of())).isEqualTo(Map.of("stock",
						ConfiguredLock.of(LockOptions.NONE.withWaitTime(Duration.ofSeconds(3)).withMaxWaiters(7)),
						"a.b", ConfiguredLock.of(LockOptions.NONE.withLeaseTime(Duration.ofSeconds(4)))));
			});
	}

	@Test
	void shortLeaseLowersTheDefaultCommandTimeout() {
		this.runner.withPropertyValues("distributed-lock.lease-time=600ms")
			.run((context) -> assertThat(context.getBean(LockSettings.class).commandTimeout())
				.isEqualTo(Duration.ofMillis(200)));
	}

	@Test
	void annotatedMethodRunsUnderItsLock() {
		this.runner.withBean(Stock.class).run((context) -> {
			Stock stock = context.getBean(Stock.class);
			assertThat(AopUtils.isCglibProxy(stock)).isTrue();
			LockTemplate template = context.getBean(LockTemplate.class);
			assertThat(stock.run("a", () -> TestThreads.isBusy(template, "stock:a"))).isTrue();
			assertThat(TestThreads.isBusy(template, "stock:a")).isFalse();
		});
	}

	@Test
	void ownTemplateReplacesOursAndNeedsNoStore() {
		this.empty.withUserConfiguration(OwnTemplate.class).withBean(Stock.class).run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton(DefaultStore.CONFIGURED)).isFalse();
			assertThat(context).hasSingleBean(LockTemplate.class).doesNotHaveBean(LifecycleLockTemplate.class);
			assertThatExceptionOfType(LockException.class)
				.isThrownBy(() -> context.getBean(Stock.class).run("a", () -> true))
				.withMessage("own");
		});
	}

	@Test
	void metersOfAnOwnTemplateCountWhatItReports() {
		this.empty.withUserConfiguration(OwnNotifyingTemplate.class).run((context) -> {
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(MeterBinder.class).bindTo(registry);
			assertThat(registry.get("lock.renewal.lag").timeGauge().value(TimeUnit.SECONDS)).isZero();
			try (LockHandle lock = context.getBean(LockTemplate.class)
				.acquire(LockRequest.of("a").maxHold(Duration.ofMillis(1)))) {
				assertThat(Pause.atMost(TestThreads.LIMIT,
						() -> registry.get("lock.held.too.long").functionCounter().count() == 1))
					.as(lock.key())
					.isTrue();
			}
		});
	}

	@Test
	void ownStoreReplacesTheMemoryStore() {
		InMemoryLockServer server = new InMemoryLockServer();
		this.runner.withBean("own", LockStore.class, () -> new InMemoryLockStore(server)).run((context) -> {
			assertThat(context).hasSingleBean(LockStore.class).hasBean("own");
			assertSharesLocks(context.getBean(LockTemplate.class), server);
		});
	}

	@Test
	void primaryStoreOfSeveralIsUsed() {
		this.empty.withUserConfiguration(PrimaryStore.class)
			.run((context) -> assertSharesLocks(context.getBean(LockTemplate.class), PrimaryStore.SERVER));
	}

	@Test
	void ownSettingsReplaceOurs() {
		LockSettings own = LockSettings.builder().leaseTime(Duration.ofSeconds(7)).build();
		this.runner.withBean(LockSettings.class, () -> own).run((context) -> {
			assertThat(context.getBean(LockSettings.class)).isSameAs(own);
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
				assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(7));
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "wait-time=77s", "lease-time=77s", "command-timeout=7s", "release=sent", "max-waiters=7",
			"on-lost=interrupt", "max-hold=77s" })
	void ownSettingsWhenAPropertyWouldBeHiddenThenRefused(String property) {
		this.runner.withBean(LockSettings.class, () -> LockSettings.DEFAULTS)
			.withPropertyValues("distributed-lock." + property)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("these properties have no effect: distributed-lock."
						+ property.substring(0, property.indexOf('=')) + ".")
				.hasMessageContaining("LockSettingsBuilderCustomizer"));
	}

	/** A child has the same environment, and sees the settings of its parent. */
	@Test
	void settingsOfAParentWhenItWasConfiguredByTheSamePropertiesThenTheChildStarts() {
		ApplicationContextRunner configured = this.runner.withPropertyValues("distributed-lock.wait-time=77s");
		configured.run((parent) -> configured.withParent(parent).run((child) -> {
			assertThat(child).hasNotFailed();
			assertThat(child.getBean(LockSettings.class).waitTime()).isEqualTo(Duration.ofSeconds(77));
		}));
	}

	@Test
	void customizersChangeWhatThePropertiesResultInOneAfterTheOther() {
		this.runner.withUserConfiguration(Customizers.class)
			.withPropertyValues("distributed-lock.wait-time=77s", "spring.application.name=shop", "HOSTNAME=one")
			.run((context) -> {
				LockSettings settings = context.getBean(LockSettings.class);
				assertThat(settings.waitTime()).isEqualTo(Duration.ofSeconds(77));
				assertThat(settings.application()).isEqualTo("last");
				assertThat(settings.host()).isEqualTo("first");
			});
	}

	@Test
	void closingWaitsForRunningMethodsAndRefusesNewLocks(CapturedOutput output) {
		CompletableFuture<Boolean> heldToTheEnd = new CompletableFuture<>();
		CompletableFuture<LockTemplate> started = new CompletableFuture<>();
		this.runner.withBean(Stock.class).run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			Stock stock = context.getBean(Stock.class);
			heldToTheEnd.completeAsync(() -> stock.run("a", () -> {
				started.complete(template);
				Awaitility.await().until(() -> refuses(template));
				return LockContext.current().orElseThrow().isHeld();
			}), (task) -> new Thread(task).start());
			started.join();
		});
		// Its lock is released a moment before the method has returned to its caller.
		assertThat(heldToTheEnd).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		assertThat(output).doesNotContain("still held");
	}

	@Test
	void lockStopsAfterWorkersAndBeforeConnections() {
		this.runner.run((context) -> {
			LifecycleLockTemplate template = context.getBean(LifecycleLockTemplate.class);
			assertThat(template.isRunning()).isTrue();
			assertThat(template.getPhase()).isBetween(1, Integer.MAX_VALUE / 2);
		});
	}

	@Test
	void templateWorksBeforeTheContextStartedAndStopsIfItNeverDoes() {
		AtomicReference<LockTemplate> template = new AtomicReference<>();
		this.runner.withBean(Early.class).withBean(AtomicReference.class, () -> template).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(refuses(template.get())).isTrue();
		});
	}

	@Test
	void shutdownThatTakesTooLongIsWarnedOfOnce(CapturedOutput output) {
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		this.runner.withPropertyValues("distributed-lock.shutdown-timeout=10ms")
			.run((context) -> held.complete(context.getBean(LockTemplate.class).acquire("a")));
		assertThat(held.join().key()).isEqualTo("a");
		assertThat(output).containsOnlyOnce("Locks are still held after 10 ms");
	}

	private static boolean refuses(LockTemplate template) {
		try {
			template.tryAcquire(LockRequest.of("other").waitAtMost(Duration.ZERO)).ifPresent(LockHandle::close);
			return false;
		}
		catch (LockException ex) {
			return true;
		}
	}

	private static void assertSharesLocks(LockTemplate template, InMemoryLockServer server) {
		try (CloseableLockTemplate other = LockTemplateBuilder.forStore(new InMemoryLockStore(server)).build();
				LockHandle lock = template.acquire("a")) {
			assertThat(TestThreads.isBusy(other, lock.key())).isTrue();
		}
	}

	static class Early {

		Early(LockTemplate template, AtomicReference<LockTemplate> told) {
			template.acquire("early").close();
			told.set(template);
			throw new IllegalStateException("no start");
		}

	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", leaseTime = "20s")
		public boolean run(String sku, Supplier<Boolean> body) {
			return body.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnNotifyingTemplate {

		@Bean
		CloseableLockTemplate ownTemplate(LockObserver observers) {
			return LockTemplateBuilder.forStore(new InMemoryLockStore()).observer(observers).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnTemplate {

		@Bean
		LockTemplate ownTemplate() {
			return new LockTemplate() {

				@Override
				public LockHandle acquire(LockRequest request) {
					throw new LockException("", "own", null);
				}

				@Override
				public Optional<LockHandle> tryAcquire(LockRequest request) {
					throw new LockException("", "own", null);
				}

				@Override
				public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
					throw new LockException("", "own", null);
				}

				@Override
				public Lock getLock(String key) {
					throw new LockException("", "own", null);
				}

				@Override
				public ReadWriteLock getReadWriteLock(String key) {
					throw new LockException("", "own", null);
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryStore {

		static final InMemoryLockServer SERVER = new InMemoryLockServer();

		@Bean
		LockStore other() {
			return new InMemoryLockStore();
		}

		@Bean
		@Primary
		LockStore chosen() {
			return new InMemoryLockStore(SERVER);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@Order(2)
		LockSettingsBuilderCustomizer last() {
			return (builder) -> builder.application("last");
		}

		@Bean
		@Order(1)
		LockSettingsBuilderCustomizer first() {
			return (builder) -> builder.application("first").host("first");
		}

	}

}
