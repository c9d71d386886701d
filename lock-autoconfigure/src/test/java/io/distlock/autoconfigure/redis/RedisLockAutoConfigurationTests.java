package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConfiguredStores;
import io.distlock.autoconfigure.FailedStart;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.spi.LockStore;
import io.distlock.spi.StoreCheckResult;
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

	private final AtomicReference<RedisLockStoreSettings> settings = new AtomicReference<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withConfiguration(LockApplications.redis())
		.withBean("settings", RedisLockStoreBuilderCustomizer.class,
				() -> (id, builder) -> this.settings.set(builder.build()))
		.withPropertyValues(at(SERVER))
		.withPropertyValues("distributed-lock.command-timeout=10s");

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
			assertThat(this.settings.get()).isEqualTo(patient().build());
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
				assertThat(keys(context.getBean(RedisConnectionFactory.class))).contains("lk:a");
			}
		});
	}

	@Test
	void propertiesBecomeSettings() {
		this.runner.withPropertyValues("distributed-lock.redis.key-prefix=shop.", "distributed-lock.command-timeout=9s")
			.withBean(RedisLockStoreBuilderCustomizer.class,
					() -> (id, builder) -> this.settings.set(builder.pollInterval(Duration.ofMillis(100)).build()))
			.run((context) -> {
				assertThat(this.settings.get()).isEqualTo(RedisLockStoreSettings.builder()
					.keyPrefix("shop.")
					.pollInterval(Duration.ofMillis(100))
					.commandTimeout(Duration.ofSeconds(9))
					.build());
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
					assertThat(keys(context.getBean(RedisConnectionFactory.class))).contains("shop.a");
				}
			});
	}

	@Test
	void propertiesOfTopologyBecomeSettings() {
		this.runner
			.withPropertyValues("distributed-lock.redis.startup-check=off", "distributed-lock.redis.quarantine=1m",
					"distributed-lock.redis.failover-delay=2m")
			.run((context) -> assertThat(this.settings.get())
				.isEqualTo(patient().quarantine(Duration.ofMinutes(1)).failoverDelay(Duration.ofMinutes(2)).build()));
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
							assertThat(keys(redis(context).factory())).contains("lk:apart");
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
					+ "Mark one with @LockRedisConnectionFactory, or set distributed-lock.redis.url "
					+ "to a server of the locks' own. All applications that share locks need the same server."));
	}

	@Test
	void markedConnectionFactoryOfSeveralIsUsed() {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withUserConfiguration(MarkedFactory.class)
			.run((context) -> {
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("chosen")) {
					assertThat(lock.isHeld()).isTrue();
					assertThat(keys(context.getBean("marked", RedisConnectionFactory.class))).contains("lk:chosen");
					assertThat(keys(context.getBean("cache", RedisConnectionFactory.class)))
						.doesNotContain("lk:chosen");
				}
			});
	}

	@Test
	void customizersAreCalledInTheirOrderWithTheIdOfTheStore() {
		List<String> calls = new ArrayList<>();
		this.runner.withBean("second", RedisLockStoreBuilderCustomizer.class, () -> new Recording(2, calls))
			.withBean("first", RedisLockStoreBuilderCustomizer.class, () -> new Recording(1, calls))
			.withPropertyValues("distributed-lock.store=redis", "distributed-lock.stores.audit.type=redis",
					"distributed-lock.stores.audit.redis.key-prefix=audit:")
			.run((context) -> assertThat(calls)
				.containsExactlyInAnyOrder("1 audit", "2 audit", "1 default", "2 default")
				.containsSubsequence("1 audit", "2 audit")
				.containsSubsequence("1 default", "2 default"));
	}

	@Test
	void wrongValueOfACustomizerIsExplainedAsOneOfAProperty() {
		this.runner
			.withBean(RedisLockStoreBuilderCustomizer.class, () -> (id, builder) -> builder.pollInterval(Duration.ZERO))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("The settings of distributed-lock.redis.* cannot work: Poll interval must be "
						+ "at least 1ms (the resolution), was 0s. Correct the property, or the "
						+ "RedisLockStoreBuilderCustomizer bean if one sets the value."));
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
		StoreCheck check = RedisChecks.of(() -> new StoreCheckResult.Problems(List.of("one", "two")),
				() -> "Redis at shop:1", "distributed-lock.", StoreCheck.Mode.FAIL);
		String line = System.lineSeparator() + "  - ";
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(check::run)
			.satisfies((ex) -> assertThat(ex.description())
				.isEqualTo("Redis at shop:1 cannot keep locks reliably:" + line + "one" + line + "two"));
	}

	/** The defaults, with a command timeout that suits a busy machine. */
	private static RedisLockStoreSettings.Builder patient() {
		return RedisLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10));
	}

	private static LockRedis redis(AssertableApplicationContext context) {
		return (LockRedis) context.getBean(ConfiguredStores.class).get("default").orElseThrow().connections();
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

	/** Primary is what the rest of the application uses. */
	@Configuration(proxyBeanMethods = false)
	static class MarkedFactory {

		@Bean
		@Primary
		RedisConnectionFactory cache() {
			return TwoFactories.factory(0);
		}

		@Bean
		@LockRedisConnectionFactory
		RedisConnectionFactory marked() {
			return TwoFactories.factory(1);
		}

	}

	private record Recording(int order, List<String> calls) implements RedisLockStoreBuilderCustomizer, Ordered {

		@Override
		public void customize(String id, RedisLockStoreSettings.Builder builder) {
			this.calls.add(this.order + " " + id);
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
