package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
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
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.FailedStart;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties.StartupCheck;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.RedisStartupCheck;
import io.distlock.redis.RedisStartupCheck.Result;
import io.distlock.spi.LockStore;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class RedisLockAutoConfigurationTests {

	private static final RedisServer SERVER = RedisServer.start();

	private static final RedisServer EVICTING = RedisServer.builder()
		.args("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
		.start();

	private static final String EVICTION = "Redis evicts keys when memory is full (maxmemory-policy allkeys-lru), and "
			+ "locks with them, so that two processes may hold the same lock: set maxmemory-policy to noeviction, or use a "
			+ "separate server for locks";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withConfiguration(LockApplications.redis())
		.withPropertyValues(at(SERVER));

	@AfterAll
	static void stop() {
		SERVER.close();
		EVICTING.close();
	}

	@Test
	void redisIsUsedWhenThereIsAConnectionFactory() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(RedisLockStore.class).hasSingleBean(LockStore.class);
			assertThat(context.getBean(RedisConnectionFactory.class)).isInstanceOf(LettuceConnectionFactory.class);
			assertThat(context.getBean(RedisLockStoreSettings.class)).isEqualTo(RedisLockStoreSettings.DEFAULTS);
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
				assertThat(keys(context.getBean(RedisConnectionFactory.class))).contains("lk:a");
			}
		});
	}

	@Test
	void jedisWorksToo() {
		this.runner.withPropertyValues("spring.data.redis.client-type=jedis").run((context) -> {
			assertThat(context.getBean(RedisConnectionFactory.class)).isInstanceOf(JedisConnectionFactory.class);
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
				assertThat(lock.isHeld()).isTrue();
			}
		});
	}

	@Test
	void propertiesBecomeSettings() {
		this.runner
			.withPropertyValues("distributed-lock.redis.key-prefix=shop.", "distributed-lock.redis.poll-interval=100ms",
					"distributed-lock.command-timeout=2s")
			.run((context) -> {
				RedisLockStoreSettings settings = context.getBean(RedisLockStoreSettings.class);
				assertThat(settings.keyPrefix()).isEqualTo("shop.");
				assertThat(settings.pollInterval()).isEqualTo(Duration.ofMillis(100));
				assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
					assertThat(keys(context.getBean(RedisConnectionFactory.class))).contains("shop.a");
				}
			});
	}

	@Test
	void propertiesOfTopologyBecomeSettings() {
		this.runner
			.withPropertyValues("distributed-lock.redis.startup-check=off", "distributed-lock.redis.quarantine=1m",
					"distributed-lock.redis.replicas.required=1")
			.run((context) -> assertThat(context.getBean(RedisLockStoreSettings.class))
				.isEqualTo(RedisLockStoreSettings.builder().quarantine(Duration.ofMinutes(1)).replicas(1).build()));
	}

	@Test
	void timesOfConnectionsBecomeSettings() {
		this.runner
			.withPropertyValues("distributed-lock.redis.startup-check=off", "distributed-lock.redis.failover-delay=1m",
					"distributed-lock.redis.connect-timeout=7s")
			.run((context) -> assertThat(context.getBean(RedisLockStoreSettings.class))
				.isEqualTo(RedisLockStoreSettings.builder()
					.failoverDelay(Duration.ofMinutes(1))
					.connectTimeout(Duration.ofSeconds(7))
					.build()));
	}

	@Test
	void replicaTimeoutIsNoLongerThanCommandTimeout() {
		this.runner.withPropertyValues("distributed-lock.redis.replicas.timeout=1s")
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withPropertyValues("distributed-lock.redis.replicas.timeout=1001ms")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"replicas.timeout is 1001ms but must be at most the command timeout, which is 1s"));
	}

	@Test
	void memoryIsUsedWhenAsked() {
		this.runner.withPropertyValues("distributed-lock.store=memory")
			.run((context) -> assertThat(context).hasSingleBean(InMemoryLockStore.class)
				.doesNotHaveBean(RedisLockStore.class)
				.doesNotHaveBean(RedisStartupCheck.class));
	}

	@Test
	void redisIsUsedWhenAsked() {
		this.runner.withPropertyValues("distributed-lock.store=redis")
			.run((context) -> assertThat(context).hasSingleBean(RedisLockStore.class));
	}

	@Test
	void disabledHasNothing() {
		this.runner.withPropertyValues("distributed-lock.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RedisLockStore.class)
				.doesNotHaveBean(RedisStartupCheck.class));
	}

	@Test
	void withoutTheStoresModuleThereIsNoStore() {
		this.runner.withClassLoader(new FilteredClassLoader("io.distlock.redis"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageStartingWith("There is no store to keep locks in"));
	}

	@Test
	void ownStoreReplacesRedisAndIsNotChecked() {
		this.runner.withBean(LockStore.class, InMemoryLockStore::new)
			.run((context) -> assertThat(context).doesNotHaveBean(RedisLockStore.class)
				.doesNotHaveBean(RedisStartupCheck.class));
	}

	@Test
	void ownSettingsReplaceOurs() {
		RedisLockStoreSettings own = RedisLockStoreSettings.builder().keyPrefix("own:").build();
		this.runner.withBean(RedisLockStoreSettings.class, () -> own).run((context) -> {
			assertThat(context.getBean(RedisLockStoreSettings.class)).isSameAs(own);
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
				assertThat(keys(context.getBean(RedisConnectionFactory.class))).contains("own:a");
			}
		});
	}

	@Test
	void ownCheckReplacesOurs() {
		this.runner
			.withBean("own", RedisStartupCheck.class,
					() -> new RedisStartupCheck(null, RedisLockStoreSettings.DEFAULTS))
			.withPropertyValues("distributed-lock.redis.startup-check=off")
			.run((context) -> assertThat(context).hasSingleBean(RedisStartupCheck.class).hasBean("own"));
	}

	@Test
	void serverThatEvictsIsRefused(CapturedOutput output) {
		assertThat(FailedStart.of(output, true, Application.class, at(EVICTING))).isEqualTo(new FailedStart(
				place(EVICTING) + " cannot keep locks reliably:" + System.lineSeparator() + "  - " + EVICTION,
				"Change the configuration of the server or of the application as described above, or accept the risk with "
						+ "distributed-lock.redis.startup-check=warn."));
	}

	@Test
	void serverThatEvictsIsWarnedOfWhenAsked(CapturedOutput output) {
		this.runner.withPropertyValues(at(EVICTING))
			.withPropertyValues("distributed-lock.redis.startup-check=warn")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains(place(EVICTING) + " cannot keep locks reliably:" + System.lineSeparator() + "  - " + EVICTION);
	}

	@Test
	void serverIsNotLookedAtWhenOff(CapturedOutput output) {
		this.runner.withPropertyValues(at(EVICTING))
			.withPropertyValues("distributed-lock.redis.startup-check=off")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("cannot keep locks");
	}

	@Test
	void applicationStartsWhileRedisIsAway(CapturedOutput output) {
		this.runner.withPropertyValues("spring.data.redis.port=1").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("Redis at 127.0.0.1:1: The server accepts no connections at this address: ",
					". Whether it can keep locks was not checked")
			.doesNotContain("\tat ");
	}

	@Test
	void serverOfTheLocksOwnIsApartFromTheCache() {
		try (RedisServer own = RedisServer.start()) {
			for (String client : List.of("lettuce", "jedis")) {
				this.runner
					.withPropertyValues("distributed-lock.redis.url=redis://" + own.host() + ":" + own.port() + "/2",
							"spring.data.redis.client-type=" + client)
					.run((context) -> {
						try (LockHandle lock = context.getBean(LockTemplate.class).acquire("apart")) {
							assertThat(lock.isHeld()).isTrue();
							assertThat(keys(context.getBean(RedisConnectionFactory.class))).doesNotContain("lk:apart");
							assertThat(keys(context.getBean(LockRedis.class).factory())).contains("lk:apart");
						}
					});
			}
		}
	}

	@Test
	void serverOfTheLocksOwnNeedsNoConnectionFactory() {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withPropertyValues("distributed-lock.redis.url=redis://" + SERVER.host() + ":" + SERVER.port())
			.run((context) -> context.getBean(LockTemplate.class).acquire("alone").close());
	}

	@Test
	void wrongUrlIsRefusedWithoutItsPassword() {
		this.runner.withPropertyValues("distributed-lock.redis.url=http://user:secret@host")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("The property distributed-lock.redis.url does not begin with redis:// or "
						+ "rediss://. Write redis://user:password@host:port/database")
				.hasMessageNotContaining("secret"));
	}

	@Test
	void severalConnectionFactoriesNeedAChoice() {
		ApplicationContextRunner several = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withUserConfiguration(TwoFactories.class);
		several.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessage("Locks are kept in Redis, but there are several RedisConnectionFactory beans: cache, locks. "
					+ "Set distributed-lock.redis.connection-factory to the name of one, or distributed-lock.redis.url "
					+ "to a server of the locks' own. All applications that share locks need the same server."));
		several.withPropertyValues("distributed-lock.redis.connection-factory=locks").run((context) -> {
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("chosen")) {
				assertThat(lock.isHeld()).isTrue();
				assertThat(keys(context.getBean("locks", RedisConnectionFactory.class))).contains("lk:chosen");
				assertThat(keys(context.getBean("cache", RedisConnectionFactory.class))).doesNotContain("lk:chosen");
			}
		});
		several.withPropertyValues("distributed-lock.redis.connection-factory=lock")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("The property distributed-lock.redis.connection-factory is 'lock', but no "
						+ "RedisConnectionFactory bean has this name. Set it to one of: cache, locks."));
		several
			.withPropertyValues("distributed-lock.redis.connection-factory=locks",
					"distributed-lock.redis.url=redis://localhost")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("The properties distributed-lock.redis.url and distributed-lock.redis.connection-factory "
						+ "are both set, and locks are kept on one server. Remove one of them."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void refusedLoginNamesTheServerAndIsNoRiskToAccept(String client, CapturedOutput output) {
		String[] properties = Stream
			.concat(Stream.of(at(SERVER)), Stream.of("spring.data.redis.username=nobody",
					"spring.data.redis.password=secret", "spring.data.redis.client-type=" + client))
			.toArray(String[]::new);
		FailedStart failed = FailedStart.of(output, true, Application.class, properties);
		assertThat(failed.description())
			.startsWith(place(SERVER) + " cannot keep locks reliably:" + System.lineSeparator()
					+ "  - Redis refused the login: ")
			.doesNotContain("secret");
		assertThat(failed.action())
			.isEqualTo("Change the configuration of the server or of the application as described above.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void databaseThatDoesNotExistIsNoRiskToAccept(String client, CapturedOutput output) {
		String[] properties = Stream
			.concat(Stream.of(at(SERVER)),
					Stream.of("spring.data.redis.database=99", "spring.data.redis.client-type=" + client))
			.toArray(String[]::new);
		FailedStart failed = FailedStart.of(output, true, Application.class, properties);
		assertThat(failed.description()).startsWith(place(SERVER) + " database 99 cannot keep locks reliably:"
				+ System.lineSeparator() + "  - The server has no database of this number: ");
		assertThat(failed.action()).doesNotContain("startup-check");
	}

	@Test
	void allProblemsAreListed() {
		StoreCheck check = RedisChecks.of(() -> new Result.Problems(List.of("one", "two")), () -> "Redis at shop:1",
				"distributed-lock.", StartupCheck.FAIL);
		String line = System.lineSeparator() + "  - ";
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(check::afterSingletonsInstantiated)
			.satisfies((ex) -> assertThat(ex.description())
				.isEqualTo("Redis at shop:1 cannot keep locks reliably:" + line + "one" + line + "two"));
	}

	private static String place(RedisServer server) {
		return "Redis at " + server.host() + ":" + server.port();
	}

	private static String[] at(RedisServer server) {
		return new String[] { "spring.data.redis.host=" + server.host(), "spring.data.redis.port=" + server.port() };
	}

	private static Set<String> keys(RedisConnectionFactory factory) {
		return new StringRedisTemplate(factory).keys("*");
	}

	/** Databases of one server. */
	@Configuration(proxyBeanMethods = false)
	static class TwoFactories {

		@Bean
		RedisConnectionFactory cache() {
			return factory(0);
		}

		@Bean
		RedisConnectionFactory locks() {
			return factory(1);
		}

		private static RedisConnectionFactory factory(int database) {
			RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(SERVER.host(), SERVER.port());
			server.setDatabase(database);
			return new LettuceConnectionFactory(server);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
