package io.distlock.autoconfigure.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import io.distlock.LockHandle;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.FailedStart;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.redis.RedisLockStore;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;
import io.distlock.databases.PostgresServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class JdbcLockAutoConfigurationTests {

	private static final String NO_REDIS = "io.distlock.redis";

	private final AtomicReference<JdbcLockStoreSettings> settings = new AtomicReference<>();

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

	/** As a user has it: without lock-redis. */
	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withConfiguration(LockApplications.database())
		.withClassLoader(new FilteredClassLoader(NO_REDIS, "io.distlock.redlock"))
		.withBean("settings", JdbcLockStoreBuilderCustomizer.class,
				() -> (id, builder) -> this.settings.set(builder.build()))
		.withPropertyValues("spring.datasource.url=" + this.url, "distributed-lock.command-timeout=10s");

	@Test
	void databaseIsUsedWithoutASettingWhenThereIsADataSource() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(JdbcLockStore.class).hasSingleBean(LockStore.class);
			assertThat(context.getBean(DataSource.class)).isInstanceOf(HikariDataSource.class);
			assertThat(this.settings.get()).as("otherwise the same as without Spring Boot")
				.isEqualTo(JdbcLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10)).build());
			assertUses(context.getBean(LockTemplate.class), context.getBean(DataSource.class));
		});
	}

	@Test
	void propertiesBecomeSettings() {
		this.runner
			.withPropertyValues("distributed-lock.jdbc.table=shop_lock", "distributed-lock.jdbc.key-prefix=shop:",
					"distributed-lock.jdbc.notifications=false", "distributed-lock.command-timeout=9s")
			.withBean(JdbcLockStoreBuilderCustomizer.class, () -> (id, builder) -> this.settings
				.set(builder.connections(5).pollInterval(Duration.ofMillis(20)).keepIdle(Duration.ofHours(2)).build()))
			.run((context) -> {
				assertThat(this.settings.get()).isEqualTo(JdbcLockStoreSettings.builder()
					.table("shop_lock")
					.keyPrefix("shop:")
					.notifications(false)
					.connections(5)
					.pollInterval(Duration.ofMillis(20))
					.keepIdle(Duration.ofHours(2))
					.commandTimeout(Duration.ofSeconds(9))
					.build());
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
					assertThat(lock.isHeld()).isTrue();
					assertThat(busy(context.getBean(DataSource.class), "shop_lock")).isEqualTo(1);
				}
			});
	}

	@Test
	void lockIsThereBeforeTheContextHasStarted() {
		this.runner.withBean(Early.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void tableIsMissingWithNever() {
		this.runner
			.withPropertyValues("distributed-lock.jdbc.initialize-schema=never",
					"distributed-lock.jdbc.startup-check=off", "distributed-lock.command-timeout=1s")
			.run((context) -> assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> context.getBean(LockTemplate.class).acquire("a")));
	}

	/**
	 * As with Flyway and Liquibase, whose beans are initializers to Spring Boot as well.
	 */
	@Test
	void tableOfAMigrationIsThereBeforeTheFirstLock() {
		this.runner.withBean(Early.class)
			.withPropertyValues("distributed-lock.jdbc.initialize-schema=never",
					"spring.sql.init.schema-locations=classpath:io/distlock/jdbc/schema-h2.sql")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void tableInARealServerIsCreatedOnlyWhenAsked() throws Exception {
		try (PostgresServer server = PostgresServer.start()) {
			String[] at = { "spring.datasource.url=" + server.url(), "spring.datasource.username=postgres",
					"distributed-lock.command-timeout=9s" };
			this.runner.withPropertyValues(at)
				.withPropertyValues("distributed-lock.jdbc.startup-check=off", "distributed-lock.command-timeout=1s")
				.run((context) -> assertThatExceptionOfType(LockStoreException.class)
					.isThrownBy(() -> context.getBean(LockTemplate.class).acquire("a")));
			this.runner.withPropertyValues(at)
				.withPropertyValues("distributed-lock.jdbc.initialize-schema=always")
				.run((context) -> context.getBean(LockTemplate.class).acquire("a").close());
			this.runner.withPropertyValues(at)
				.withPropertyValues("distributed-lock.jdbc.initialize-schema=always")
				.run((context) -> context.getBean(LockTemplate.class).acquire("a").close());
		}
	}

	@Test
	void databaseThatRefusesTheTableIsExplained(CapturedOutput output) {
		FailedStart failure = start(output, "distributed-lock.store=jdbc", "distributed-lock.jdbc.table=nowhere.locks",
				"spring.datasource.url=" + this.url);
		assertThat(failure.description()).startsWith(
				"The table of locks is missing in the database, or could not be checked: The table nowhere.locks of locks");
		assertThat(failure.action()).isEqualTo("Give the user of the database the right to create it, or run the file "
				+ "io/distlock/jdbc/schema-<database>.sql of lock-jdbc yourself, for instance as a migration, and set "
				+ "distributed-lock.jdbc.initialize-schema=never.");
	}

	/** Without the table no lock can be acquired, so there is no risk to accept. */
	@Test
	void tableThatIsMissingIsNoRiskToAccept(CapturedOutput output) {
		FailedStart failure = start(output, "distributed-lock.store=jdbc",
				"distributed-lock.jdbc.initialize-schema=never", "spring.datasource.url=" + this.url);
		assertThat(failure.description())
			.contains("of locks is missing: run io/distlock/jdbc/schema-h2.sql of lock-jdbc, "
					+ "or set distributed-lock.jdbc.initialize-schema=always");
		assertThat(failure.action()).contains("as described above").doesNotContain("accept the risk");
	}

	@Test
	void refusalOfTheDatabaseIsTheCause() {
		this.runner.withPropertyValues("distributed-lock.jdbc.table=nowhere.locks")
			.run((context) -> assertThat(context).getFailure().hasRootCauseInstanceOf(SQLException.class));
	}

	@Test
	void withRedisOnTheClassPathTheChoiceIsTheUsers(CapturedOutput output) {
		assertThat(start(output, "spring.datasource.url=" + this.url, "distributed-lock.redis.url=redis://localhost"))
			.isEqualTo(new FailedStart(
					"jdbc and redis could keep locks, and locks in different stores do not exclude each other.",
					"Set distributed-lock.store=jdbc or distributed-lock.store=redis, the same in all applications that "
							+ "share locks; or remove the modules that are not to keep them."));
	}

	@Test
	void choiceIsFollowed() {
		ApplicationContextRunner both = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(LockApplications.redis())
			.withConfiguration(LockApplications.database())
			.withPropertyValues("spring.datasource.url=" + this.url, "distributed-lock.redis.startup-check=off");
		both.withPropertyValues("distributed-lock.store=jdbc")
			.run((context) -> assertThat(context).hasSingleBean(LockStore.class).hasSingleBean(JdbcLockStore.class));
		both.withPropertyValues("distributed-lock.store=REDIS")
			.run((context) -> assertThat(context).hasSingleBean(LockStore.class).hasSingleBean(RedisLockStore.class));
		both.withBean("own", LockStore.class, InMemoryLockStore::new)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LockStore.class));
	}

	@Test
	void withoutADataSourceTheMissingBeanIsNamed() {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withPropertyValues("distributed-lock.store=jdbc")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageStartingWith("Locks are kept in a database, but there is no DataSource bean. "
						+ "Set spring.datasource.url"));
	}

	@Test
	void withoutTheModuleItIsNamed() {
		this.runner.withClassLoader(new FilteredClassLoader("io.distlock.jdbc"))
			.withPropertyValues("distributed-lock.store=jdbc")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessage("The property distributed-lock.store is jdbc, but the module of this store, or what it "
						+ "needs, is not on the class path. Add lock-spring-boot-starter-jdbc and set "
						+ "spring.datasource.*, or set the property to another store: memory, redis, "
						+ "redlock, zookeeper."));
	}

	@Test
	void markedDataSourceOfSeveralIsUsed() {
		ownDataSources().withUserConfiguration(Marked.class)
			.run((context) -> assertUses(context.getBean(LockTemplate.class),
					context.getBean("locks", DataSource.class)));
	}

	@Test
	void eachStoreHasTheDataSourceThatIsMarkedForIt() {
		ownDataSources().withUserConfiguration(MarkedById.class)
			.withPropertyValues("distributed-lock.stores.audit.type=jdbc", "distributed-lock.stores.other.type=jdbc")
			.run((context) -> {
				LockTemplates templates = context.getBean(LockTemplates.class);
				assertUses(templates.of("audit"), context.getBean("audit", DataSource.class));
				assertUses(templates.of("other"), context.getBean("locks", DataSource.class));
				assertUses(templates.of("default"), context.getBean("locks", DataSource.class));
			});
	}

	@Test
	void primaryDataSourceOfSeveralIsUsed() {
		ownDataSources().withUserConfiguration(WithPrimary.class)
			.run((context) -> assertUses(context.getBean(LockTemplate.class),
					context.getBean("first", DataSource.class)));
	}

	@Test
	void severalDataSourcesWithoutAChoiceAreRefused() {
		ownDataSources().withUserConfiguration(Several.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("Locks are kept in a database, but there are several DataSource beans: left, right. "
						+ "Mark the DataSource of the locks' database with @LockDataSource. All applications that share "
						+ "locks need the same database."));
	}

	@ParameterizedTest
	@ValueSource(classes = { Routing.class, RoutingBehindAProxy.class })
	void dataSourceThatRoutesIsRefused(Class<?> configuration) {
		ownDataSources().withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("chooses a database at each call, so that one lock could be in several."));
	}

	@Test
	void applicationStartsWhileTheDatabaseIsAway(CapturedOutput output) {
		this.runner
			.withPropertyValues("spring.datasource.url=jdbc:postgresql://localhost:1/none",
					"spring.datasource.hikari.connection-timeout=250", "spring.sql.init.mode=never",
					"distributed-lock.command-timeout=1s")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("Whether it can keep locks was not checked");
	}

	private ApplicationContextRunner ownDataSources() {
		return new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withPropertyValues("distributed-lock.store=jdbc");
	}

	private static void assertUses(LockTemplate template, DataSource dataSource) {
		try (LockHandle lock = template.acquire("a")) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(busy(dataSource, "distributed_lock")).isEqualTo(1);
		}
	}

	private static int busy(DataSource dataSource, String table) {
		Integer count = new JdbcTemplate(dataSource).queryForObject("SELECT count(*) FROM " + table + " WHERE busy = 1",
				Integer.class);
		return (count != null) ? count : -1;
	}

	private static FailedStart start(CapturedOutput output, String... properties) {
		return FailedStart.of(output, LockApplications.database(), Empty.class, properties);
	}

	static class Early {

		Early(LockTemplate template) {
			template.acquire("early").close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

	private static DataSource memory() {
		return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
	}

	@Configuration(proxyBeanMethods = false)
	static class Marked {

		@Bean
		@Primary
		DataSource orders() {
			return memory();
		}

		@Bean
		@LockDataSource
		DataSource locks() {
			return memory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedById extends Marked {

		@Bean
		@LockDataSource("audit")
		DataSource audit() {
			return memory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithPrimary {

		@Bean
		@Primary
		DataSource first() {
			return memory();
		}

		@Bean
		DataSource second() {
			return memory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Several {

		@Bean
		DataSource left() {
			return memory();
		}

		@Bean
		DataSource right() {
			return memory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RoutingBehindAProxy {

		@Bean
		DataSource behind() {
			return new TransactionAwareDataSourceProxy(new Routing().routing());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Routing {

		@Bean
		DataSource routing() {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected Object determineCurrentLookupKey() {
					return "any";
				}

			};
			routing.setDefaultTargetDataSource(memory());
			routing.setTargetDataSources(Map.of("any", memory()));
			return routing;
		}

	}

}
