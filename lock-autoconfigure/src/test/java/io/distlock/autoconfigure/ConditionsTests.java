package io.distlock.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.actuate.LocksEndpointAutoConfiguration;
import io.distlock.autoconfigure.health.LockHealthAutoConfiguration;
import io.distlock.autoconfigure.tracing.LockObservationAutoConfiguration;
import io.distlock.autoconfigure.web.LockProblemAdvice;
import io.distlock.autoconfigure.web.LockWebAutoConfiguration;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.operations.LockOperations;
import io.distlock.redis.RedisLockStore;
import io.distlock.redlock.RedlockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.CommitCheck;
import io.distlock.spring.event.LockEventPublisher;
import io.distlock.spring.intercept.LockAdvisor;
import io.distlock.spring.reactive.ReactiveLockTemplate;
import io.distlock.stores.LockTemplates;
import io.distlock.zookeeper.ZooKeeperLockStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Each auto-configuration: when it is there, when not, and for which beans it backs off.
 */
class ConditionsTests {

	private static final String[] HEALTH = { "locksHealthIndicator", "locksHealthContributor" };

	private final AutoConfigurations all = AutoConfigurations.of(LocksEndpointAutoConfiguration.class,
			LockHealthAutoConfiguration.class, LockObservationAutoConfiguration.class);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withConfiguration(this.all)
		.withBean(ObservationRegistry.class, ObservationRegistry::create)
		.withPropertyValues("distributed-lock.store=memory", "management.endpoints.web.exposure.include=*");

	private final WebApplicationContextRunner web = new WebApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withConfiguration(AutoConfigurations.of(LockWebAutoConfiguration.class))
		.withPropertyValues("distributed-lock.store=memory");

	@Test
	void reactiveTemplateIsThereWithReactorAndOneTemplate() {
		this.runner.run((context) -> assertThat(
				context.getBean(ReactiveLockTemplate.class).mono("key", (lock) -> Mono.just(lock.key())).block())
			.isEqualTo("key"));
		this.runner.withClassLoader(new FilteredClassLoader("reactor"))
			.run((context) -> assertThat(context).hasSingleBean(LockTemplate.class)
				.doesNotHaveBean(ReactiveLockTemplate.class));
		this.runner.withPropertyValues("distributed-lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveLockTemplate.class));
		this.runner
			.withBean("own", ReactiveLockTemplate.class,
					() -> new ReactiveLockTemplate((LockTemplate) nothing(LockTemplate.class)))
			.run((context) -> assertThat(context).getBeanNames(ReactiveLockTemplate.class).containsExactly("own"));
		this.runner.withBean("first", LockTemplate.class, () -> (LockTemplate) nothing(LockTemplate.class))
			.withBean("second", LockTemplate.class, () -> (LockTemplate) nothing(LockTemplate.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveLockTemplate.class));
	}

	@Test
	void allIsThere() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(LockTemplate.class)
				.hasSingleBean(LockTemplates.class)
				.hasSingleBean(LockOperations.class)
				.hasSingleBean(LockStore.class)
				.hasSingleBean(LockSettings.class)
				.hasSingleBean(LockEventPublisher.class)
				.hasSingleBean(LockAdvisor.class)
				.hasBean("locksEndpoint")
				.hasBean("lockMeters")
				.hasBean("lockObservations")
				.doesNotHaveBean(LockDisabledAutoConfiguration.class)
				.doesNotHaveBean(CommitCheck.class);
			assertThat(context.getBeansOfType(LockStoreFactory.class)).containsOnlyKeys("redisLockStoreFactory",
					"redlockStoreFactory", "jdbcLockStoreFactory", "zooKeeperLockStoreFactory");
			assertThat(Stream.of(HEALTH).filter(context::containsBean)).hasSize(1);
		});
	}

	@Test
	void nothingIsThereIfItIsSwitchedOff() {
		this.runner.withPropertyValues("distributed-lock.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(LockDisabledAutoConfiguration.class)
				.doesNotHaveBean(LockTemplate.class)
				.doesNotHaveBean(LockStore.class)
				.doesNotHaveBean(LockStoreFactory.class)
				.doesNotHaveBean(LockAdvisor.class)
				.doesNotHaveBean("locksEndpoint")
				.doesNotHaveBean("lockMeters")
				.doesNotHaveBean("lockObservations");
			assertThat(Stream.of(HEALTH).filter(context::containsBean)).isEmpty();
		});
		this.web.withPropertyValues("distributed-lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockProblemAdvice.class));
	}

	static Stream<Arguments> factoryIsNotThereWithoutItsClasses() {
		return Stream.of(arguments("redisLockStoreFactory", RedisLockStore.class),
				arguments("redisLockStoreFactory", RedisConnectionFactory.class),
				arguments("redlockStoreFactory", RedlockStore.class),
				arguments("redlockStoreFactory", RedisConnectionFactory.class),
				arguments("jdbcLockStoreFactory", JdbcLockStore.class),
				arguments("jdbcLockStoreFactory", DataSourceScriptDatabaseInitializer.class),
				arguments("jdbcLockStoreFactory", DataSource.class),
				arguments("zooKeeperLockStoreFactory", ZooKeeperLockStore.class),
				arguments("zooKeeperLockStoreFactory", CuratorFramework.class));
	}

	@ParameterizedTest
	@MethodSource
	void factoryIsNotThereWithoutItsClasses(String factory, Class<?> absent) {
		this.runner.withClassLoader(new FilteredClassLoader(absent))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(factory));
	}

	static Stream<Arguments> beanIsNotThereWithoutItsClass() {
		return Stream.of(arguments("lockMeters", MeterBinder.class),
				arguments("lockObservations", ObservationRegistry.class), arguments("locksEndpoint", Endpoint.class));
	}

	@ParameterizedTest
	@MethodSource
	void beanIsNotThereWithoutItsClass(String bean, Class<?> absent) {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(this.all)
			.withPropertyValues("distributed-lock.store=memory", "management.endpoints.web.exposure.include=*")
			.withClassLoader(new FilteredClassLoader(absent))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(bean));
	}

	@Test
	void observationsNeedARegistry() {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(this.all)
			.withPropertyValues("distributed-lock.store=memory")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("lockObservations"));
	}

	@Test
	void endpointHasToBeExposedAndHealthCanBeOff() {
		this.runner
			.withPropertyValues("management.endpoints.web.exposure.include=", "management.health.locks.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("locksEndpoint");
				assertThat(Stream.of(HEALTH).filter(context::containsBean)).isEmpty();
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { LockTemplate.class, LockTemplates.class, LockOperations.class, LockSettings.class,
			LockEventPublisher.class, LockStore.class })
	<T> void beanOfTheApplicationReplacesOurs(Class<T> type) {
		T own = type.cast(own(type));
		this.runner.withBean("own", type, () -> own).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeansOfType(type)).containsOnlyKeys("own");
		});
	}

	private static Object own(Class<?> type) {
		if (type == LockSettings.class) {
			return LockSettings.DEFAULTS;
		}
		return (type == LockStore.class) ? new InMemoryLockStore()
				: (type == LockEventPublisher.class) ? new LockEventPublisher((event) -> {
				}) : nothing(type);
	}

	private static Object nothing(Class<?> type) {
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(self, method, arguments) -> switch (method.getName()) {
					case "places" -> Map.of("default", "nowhere");
					case "hashCode" -> System.identityHashCode(self);
					case "equals" -> self == arguments[0];
					default -> null;
				});
	}

	@ParameterizedTest
	@CsvSource({ "false, true", "true, false" })
	void commitCheckIsThereIfItIsOnAndThereAreTransactions(boolean on, boolean transactions) {
		this.runner.withConfiguration(LockApplications.database())
			.withClassLoader(new FilteredClassLoader(transactions ? Void.class : ConnectionHolder.class))
			.withPropertyValues("distributed-lock.store=jdbc", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"distributed-lock.jdbc.commit-check=" + on)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CommitCheck.class));
		this.runner.withConfiguration(LockApplications.database())
			.withPropertyValues("distributed-lock.store=jdbc", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"distributed-lock.jdbc.commit-check=true")
			.run((context) -> assertThat(context).hasSingleBean(CommitCheck.class));
	}

	@Test
	void answersAreForWebApplicationsOnly() {
		this.web.run((context) -> assertThat(context).hasSingleBean(LockProblemAdvice.class));
		this.web.withPropertyValues("distributed-lock.web.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LockProblemAdvice.class));
		this.web.withClassLoader(new FilteredClassLoader(RestControllerAdvice.class))
			.run((context) -> assertThat(context).doesNotHaveBean("lockProblemAdvice"));
		this.runner.withConfiguration(AutoConfigurations.of(LockWebAutoConfiguration.class))
			.run((context) -> assertThat(context).doesNotHaveBean(LockProblemAdvice.class));
	}

	/**
	 * What the starter adds to an application with one annotated method. A bean more is a
	 * concept more: it belongs into this list only if applications replace or inject it,
	 * or if Spring finds it by its type.
	 */
	@Test
	void beansOfTheStarterAreFew() {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(LockApplications.redis())
			.withClassLoader(new FilteredClassLoader(JdbcLockStore.class, ZooKeeperLockStore.class, MeterBinder.class))
			.withPropertyValues("distributed-lock.redis.startup-check=off", "spring.data.redis.port=1")
			.run((context) -> assertThat(Stream.of(context.getBeanDefinitionNames())
				.filter((name) -> name.startsWith("io.distlock") || name.startsWith("distributed")
						|| String.valueOf(context.getBeanFactory().getBeanDefinition(name).getFactoryBeanName())
							.startsWith("io.distlock")
						|| String.valueOf(context.getType(name)).contains("io.distlock")))
				.map((name) -> name.substring(name.lastIndexOf('.') + 1))
				.containsExactlyInAnyOrder("RedisLockAutoConfiguration", "RedisLockProperties", "redisLockStoreFactory",
						"RedlockAutoConfiguration", "RedlockProperties", "redlockStoreFactory", "LockAutoConfiguration",
						"LockProperties", "lockSettings", "configuredLockStore", "lockConfiguredStores",
						"lockUnknownProperties", "lockEventPublisher", "lockObservers", "distributedLockTemplate",
						"lockTemplates", "reactiveLockTemplate", "lockOperations", "LockAnnotationAutoConfiguration",
						"lockAnnotationSettings", "DistributedLockConfiguration", "distributedLockAdvisor",
						"distributedLockValidator", "distributedLockDefinitions", "distributedLockCommitGuard",
						"distributedLockReactiveCommitGuard"));
	}

	/** In the report of conditions, as {@code --debug} prints it. */
	@Test
	void switchWhenItMatchesThenTheReportSaysItsValue() {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withPropertyValues("distributed-lock.store=memory")
			.run((context) -> {
				String report = ConditionEvaluationReport.get(context.getBeanFactory())
					.getConditionAndOutcomesBySource()
					.get(LockAutoConfiguration.class.getName())
					.stream()
					.map((each) -> each.getOutcome().getMessage())
					.collect(Collectors.joining("\n"));
				assertThat(report).contains("@ConditionalOnSwitch distributed-lock.enabled is true");
			});
	}

}
