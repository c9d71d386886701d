package io.distlock.autoconfigure.redis;

import ch.qos.logback.classic.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConfiguredStores;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.output.LogLines;
import io.distlock.redis.pooled.DedicatedServer;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code distributed-lock.redis.client}. */
class RedisClientChoiceTests {

	private static final RedisServer SERVER = RedisServer.builder().args("--requirepass", "secret").start();

	private static final String URL = "distributed-lock.redis.url=redis://:secret@" + SERVER.host() + ":"
			+ SERVER.port();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withConfiguration(LockApplications.redis())
		.withPropertyValues("spring.data.redis.host=" + SERVER.host(), "spring.data.redis.port=" + SERVER.port(),
				"spring.data.redis.password=secret", "spring.data.redis.database=2",
				"distributed-lock.command-timeout=10s");

	private final LogLines log = LogLines.of("io.distlock.redis.pooled.PooledClientFactory", Level.INFO);

	@AfterEach
	void listenNoMore() {
		this.log.close();
	}

	private String logged() {
		return String.join("\n", this.log.messages(Level.INFO));
	}

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	private static void acquire(LockTemplate template, RedisConnectionFactory expected) {
		try (LockHandle lock = template.acquire("chosen")) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(new StringRedisTemplate(expected).hasKey("lk:chosen")).isTrue();
		}
	}

	@Test
	void jedisBesideLettuceWithTheSameSettings() {
		this.runner.withPropertyValues("distributed-lock.redis.client=jedis").run((context) -> {
			RedisConnectionFactory application = context.getBean(RedisConnectionFactory.class);
			assertThat(application).isInstanceOf(LettuceConnectionFactory.class);
			assertThat(redis(context).factory()).isInstanceOf(JedisConnectionFactory.class);
			acquire(context.getBean(LockTemplate.class), application);
		});
		assertThat(logged()).contains("Callers send commands themselves");
	}

	@Test
	void jedisBesideJedisHasAPoolThatNobodyElseUses() {
		this.runner.withPropertyValues("distributed-lock.redis.client=jedis", "spring.data.redis.client-type=jedis")
			.run((context) -> {
				RedisConnectionFactory application = context.getBean(RedisConnectionFactory.class);
				assertThat(redis(context).factory()).isNotSameAs(application);
				acquire(context.getBean(LockTemplate.class), application);
			});
		assertThat(logged()).contains("Callers send commands themselves");
	}

	/** Its pool may let a thread wait for ever. */
	@Test
	void jedisOfTheApplicationWithTheDefaultsOfSpringBootThenCallersSendOnConnectionsOfTheLocksOwn() {
		this.runner.withPropertyValues("spring.data.redis.client-type=jedis").run((context) -> {
			RedisConnectionFactory application = context.getBean(RedisConnectionFactory.class);
			assertThat(redis(context).factory()).isNotSameAs(application);
			acquire(context.getBean(LockTemplate.class), application);
		});
		assertThat(logged()).contains("Callers send commands themselves");
	}

	@Test
	void jedisOfTheApplicationThatMayHaveOtherSettingsIsUsedByOtherThreads() {
		this.runner.withUserConfiguration(CustomizedJedis.class)
			.withPropertyValues("distributed-lock.command-timeout=1s")
			.run((context) -> {
				RedisConnectionFactory application = context.getBean(RedisConnectionFactory.class);
				assertThat(redis(context).factory()).isSameAs(application);
				acquire(context.getBean(LockTemplate.class), application);
			});
		assertThat(logged()).contains("Callers do not send commands themselves: it may block a caller for longer than "
				+ "the command timeout of 1000 ms: an answer may take 2000 ms, connecting 2000 ms, a connection of the "
				+ "pool forever");
	}

	@Test
	void aServerOfTheLocksOwnWithJedis() {
		this.runner.withPropertyValues("distributed-lock.redis.client=jedis", URL).run((context) -> {
			assertThat(redis(context).factory()).isInstanceOf(JedisConnectionFactory.class);
			acquire(context.getBean(LockTemplate.class), redis(context).factory());
		});
		assertThat(logged()).contains("Callers send commands themselves");
	}

	/** As on a class path without Lettuce. */
	@Test
	void aServerOfTheLocksOwnWhereSpringBootChoosesJedisThenAsIfJedisWereSet() {
		this.runner.withPropertyValues("spring.data.redis.client-type=jedis", URL).run((context) -> {
			assertThat(redis(context).factory()).isInstanceOf(DedicatedServer.class);
			acquire(context.getBean(LockTemplate.class), redis(context).factory());
		});
		assertThat(logged()).contains("Callers send commands themselves");
	}

	@Test
	void aServerOfTheLocksOwnWithLettuceThoughTheApplicationHasJedis() {
		this.runner
			.withPropertyValues("distributed-lock.redis.client=lettuce", "spring.data.redis.client-type=jedis", URL)
			.run((context) -> assertThat(redis(context).factory()).isInstanceOf(LettuceConnectionFactory.class));
	}

	@Test
	void lettuceIsTheApplicationsOwn() {
		this.runner.withPropertyValues("distributed-lock.redis.client=lettuce")
			.run((context) -> assertThat(redis(context).factory())
				.isSameAs(context.getBean(RedisConnectionFactory.class)));
	}

	@Test
	void lettuceIsRefusedIfTheApplicationHasJedis() {
		this.runner.withPropertyValues("distributed-lock.redis.client=lettuce", "spring.data.redis.client-type=jedis")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("The property distributed-lock.redis.client is lettuce, but the application's connection "
						+ "factory is a JedisConnectionFactory. Set spring.data.redis.client-type to lettuce, or "
						+ "declare a LettuceConnectionFactory bean that is marked with "
						+ "@LockRedisConnectionFactory."));
	}

	@Test
	void jedisIsRefusedIfItIsNotThere() {
		this.runner.withPropertyValues("distributed-lock.redis.client=jedis")
			.withClassLoader(new FilteredClassLoader("redis.clients.jedis"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("The property distributed-lock.redis.client is jedis, but Jedis is not on the class path. "
						+ "Add the dependency redis.clients:jedis, or leave the property out."));
	}

	@Test
	void anotherValueIsRefused() {
		this.runner.withPropertyValues("distributed-lock.redis.client=redisson")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("redisson"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "sentinel.nodes=127.0.0.1:1,sentinel.master=main",
			"cluster.nodes=127.0.0.1:1,cluster.max-redirects=1" })
	void jedisSaysThatItNeedsItsSentinelsOrNodesAtTheStart(String servers) {
		this.runner
			.withPropertyValues("distributed-lock.redis.client=jedis", "spring.data.redis.database=0",
					"spring.data.redis." + servers.split(",")[0], "spring.data.redis." + servers.split(",")[1])
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageStartingWith(
						"The property distributed-lock.redis.client is jedis, which needs its Sentinels "
								+ "or the nodes of its Cluster at startup. Jedis finds no servers: ")
				.hasMessageEndingWith("Start them first, or leave the property out: with Lettuce an application starts "
						+ "while they are away."));
	}

	private ApplicationContextRunner secured() {
		return this.runner.withUserConfiguration(Bundles.class)
			.withPropertyValues("distributed-lock.redis.client=jedis", "distributed-lock.redis.startup-check=off",
					"spring.data.redis.ssl.bundle=shop");
	}

	private static LockRedis redis(AssertableApplicationContext context) {
		return (LockRedis) context.getBean(ConfiguredStores.class).get("default").orElseThrow().connections();
	}

	private static JedisClientConfiguration client(AssertableApplicationContext context) {
		return ((JedisConnectionFactory) redis(context).factory()).getClientConfiguration();
	}

	@Test
	void theBundleSecuresWhatSpringBootSecuresWithIt() {
		secured().run((context) -> {
			assertThat(client(context).isUseSsl()).isTrue();
			assertThat(client(context).getSslSocketFactory()).isPresent();
		});
	}

	@Test
	void theBundleIsNotThatOfAnotherFactoryOrServer() {
		secured().withUserConfiguration(SecondRedis.class).run((context) -> {
			assertThat(client(context).isUseSsl()).isTrue();
			assertThat(client(context).getSslSocketFactory()).isEmpty();
		});
		secured().withPropertyValues("distributed-lock.redis.url=rediss://" + SERVER.host() + ":" + SERVER.port())
			.run((context) -> {
				assertThat(client(context).isUseSsl()).isTrue();
				assertThat(client(context).getSslSocketFactory()).isEmpty();
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Bundles {

		@Bean
		SslBundles sslBundles() {
			return new DefaultSslBundleRegistry("shop", SslBundle.of(SslStoreBundle.NONE));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomizedJedis {

		@Bean
		JedisConnectionFactory customized() {
			RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(SERVER.host(), SERVER.port());
			server.setPassword("secret");
			return new JedisConnectionFactory(server,
					JedisClientConfiguration.builder()
						.customize((builder) -> builder.clientName("shop"))
						.usePooling()
						.build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondRedis {

		@Bean
		@LockRedisConnectionFactory
		LettuceConnectionFactory second() {
			return new LettuceConnectionFactory(new RedisStandaloneConfiguration(SERVER.host(), SERVER.port()),
					LettuceClientConfiguration.builder().useSsl().build());
		}

	}

}
