package io.distlock.autoconfigure.redis;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.output.LogLines;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each way in which an application configures its Redis, with this line of Spring Boot:
 * either locks work, or the application does not start and reads how to mend that.
 */
@Tag("ci")
class RedisConfigurationMatrixTests {

	private static final RedisServer SERVER = started("--requirepass", "secret");

	private static final RedisServer REPLICA = started("--masterauth", "secret", "--requirepass", "secret",
			"--replicaof", SERVER.host(), String.valueOf(SERVER.port()));

	private static final RedisSentinel SENTINEL = RedisSentinel.builder().downAfter(Duration.ofMinutes(1)).start();

	private static final RedisCluster CLUSTER = RedisCluster.start();

	private static final SecuredRedis SECURED = SecuredRedis.start();

	private static final String PASSWORD = "spring.data.redis.password=secret";

	private static final String FIX = "distributed-lock.redis.url";

	private static RedisServer started(String... arguments) {
		return RedisServer.builder().args(arguments).start();
	}

	@AfterAll
	static void stop() {
		SECURED.close();
		CLUSTER.close();
		SENTINEL.close();
		REPLICA.close();
		SERVER.close();
	}

	/**
	 * A cell.
	 *
	 * @param name what is configured
	 * @param properties the properties
	 * @param beans beans of the application, or {@code Object} for none
	 * @param refused what the refusal names; empty if locks work
	 */
	record Cell(String name, List<String> properties, Class<?> beans, String refused) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	private static Cell works(String name, String... properties) {
		return new Cell(name, List.of(properties), None.class, "");
	}

	private static String[] with(RedisServer server, String... more) {
		List<String> all = new ArrayList<>(List.of("spring.data.redis.host=" + server.host(),
				"spring.data.redis.port=" + server.port(), PASSWORD));
		all.addAll(List.of(more));
		return all.toArray(String[]::new);
	}

	static Stream<Cell> cells() {
		String sentinels = SENTINEL.sentinels()
			.stream()
			.map((node) -> node.host() + ":" + node.port())
			.collect(Collectors.joining(","));
		String nodes = CLUSTER.nodes()
			.stream()
			.map((node) -> node.host() + ":" + node.port())
			.collect(Collectors.joining(","));
		List<Cell> cells = new ArrayList<>(List.of(works("host and port", with(SERVER)),
				works("url", "spring.data.redis.url=redis://:secret@" + SERVER.host() + ":" + SERVER.port() + "/2"),
				works("user and database",
						with(SERVER, "spring.data.redis.username=default", "spring.data.redis.database=3")),
				works("client name", with(SERVER, "spring.data.redis.client-name=shop")),
				works("timeouts",
						with(SERVER, "spring.data.redis.timeout=20s", "spring.data.redis.connect-timeout=20s")),
				works("pool of Lettuce",
						with(SERVER, "spring.data.redis.lettuce.pool.enabled=true",
								"spring.data.redis.lettuce.pool.max-active=2")),
				works("Jedis", with(SERVER, "spring.data.redis.client-type=jedis")),
				works("Jedis without a pool",
						with(SERVER, "spring.data.redis.client-type=jedis",
								"spring.data.redis.jedis.pool.enabled=false")),
				works("primary, reading from replicas",
						with(SERVER, "spring.data.redis.lettuce.read-from=replica-preferred")),
				new Cell("replica, reading from replicas",
						List.of(with(REPLICA, "spring.data.redis.lettuce.read-from=replica-preferred")), None.class,
						FIX),
				works("Sentinel", "spring.data.redis.sentinel.master=" + SENTINEL.masterName(),
						"spring.data.redis.sentinel.nodes=" + sentinels),
				works("Sentinel with Jedis", "spring.data.redis.sentinel.master=" + SENTINEL.masterName(),
						"spring.data.redis.sentinel.nodes=" + sentinels, "spring.data.redis.client-type=jedis"),
				works("Cluster", "spring.data.redis.cluster.nodes=" + nodes),
				works("Cluster with Jedis", "spring.data.redis.cluster.nodes=" + nodes,
						"spring.data.redis.client-type=jedis"),
				works("TLS with a bundle", SECURED.properties("spring.data.redis.ssl.bundle=" + SecuredRedis.BUNDLE)),
				works("TLS with a bundle and Jedis",
						SECURED.properties("spring.data.redis.ssl.bundle=" + SecuredRedis.BUNDLE,
								"spring.data.redis.client-type=jedis")),
				works("TLS with a bundle, locks with Jedis",
						SECURED.properties("spring.data.redis.ssl.bundle=" + SecuredRedis.BUNDLE,
								"distributed-lock.redis.client=jedis")),
				works("rediss:// with a bundle",
						SECURED.properties("spring.data.redis.url=" + SECURED.url(),
								"spring.data.redis.ssl.bundle=" + SecuredRedis.BUNDLE)),
				works("rediss:// with a bundle and Jedis", SECURED.properties("spring.data.redis.url=" + SECURED.url(),
						"spring.data.redis.ssl.bundle=" + SecuredRedis.BUNDLE, "spring.data.redis.client-type=jedis")),
				new Cell("connection details", List.of(), DetailsBean.class, ""),
				new Cell("factory of the application", List.of(), FactoryBean.class, ""),
				new Cell("wrapped factory", List.of(with(SERVER)), Wrapping.class, ""),
				new Cell("list of primary and replicas as a bean", List.of(), ListBean.class, FIX),
				new Cell("list of primary and replicas as a bean, with a server of the locks' own",
						List.of(FIX + "=redis://:secret@" + SERVER.host() + ":" + SERVER.port()), ListBean.class, "")));
		if (ClassUtils.isPresent("org.springframework.boot.data.redis.autoconfigure.DataRedisProperties$Masterreplica",
				null)) {
			cells.add(new Cell(
					"list of primary and replicas", List.of("spring.data.redis.masterreplica.nodes=" + SERVER.host()
							+ ":" + SERVER.port() + "," + REPLICA.host() + ":" + REPLICA.port(), PASSWORD),
					None.class, FIX));
		}
		return cells.stream();
	}

	@ParameterizedTest
	@MethodSource("cells")
	void locksWorkOrTheApplicationIsRefusedWithTheFix(Cell cell) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(LockApplications.redis())
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
			.withUserConfiguration(cell.beans())
			.withInitializer((context) -> {
				if (cell.beans() == DetailsBean.class) {
					context.getBeanFactory().registerSingleton("details", DetailsBean.ofThisLine());
				}
			})
			.withPropertyValues("distributed-lock.command-timeout=10s")
			.withPropertyValues(cell.properties().toArray(String[]::new));
		try (LogLines log = LogLines.of("io.distlock", Level.WARN)) {
			runner.run((context) -> {
				if (cell.refused().isEmpty()) {
					assertThat(context).hasNotFailed();
					assertThat(log.messages(Level.WARN)).noneMatch((line) -> line.contains("was not checked"));
					try (LockHandle lock = context.getBean(LockTemplate.class).acquire("matrix")) {
						assertThat(lock.isHeld()).isTrue();
					}
				}
				else {
					assertThat(context).getFailure()
						.isInstanceOf(LockConfigurationException.class)
						.hasMessageContaining(cell.refused());
				}
			});
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class None {

	}

	private static RedisStandaloneConfiguration server() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(SERVER.host(), SERVER.port());
		server.setPassword("secret");
		return server;
	}

	@Configuration(proxyBeanMethods = false)
	static class FactoryBean {

		@Bean
		LettuceConnectionFactory factory() {
			return new LettuceConnectionFactory(server());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ListBean {

		@Bean
		LettuceConnectionFactory factory() {
			RedisStaticMasterReplicaConfiguration list = new RedisStaticMasterReplicaConfiguration(SERVER.host(),
					SERVER.port());
			list.addNode(REPLICA.host(), REPLICA.port());
			list.setPassword("secret");
			return new LettuceConnectionFactory(list);
		}

	}

	/** As libraries wrap connections to measure them. */
	@Configuration(proxyBeanMethods = false)
	static class Wrapping {

		@Bean
		static BeanPostProcessor wrapping() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof RedisConnectionFactory) ? wrapped(bean) : bean;
				}

			};
		}

		private static Object wrapped(Object factory) {
			return Proxy.newProxyInstance(Wrapping.class.getClassLoader(),
					ClassUtils.getAllInterfacesForClass(factory.getClass()), (proxy, method, arguments) -> {
						try {
							return method.invoke(factory, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

	/** Their type has another name on each line of Spring Boot. */
	@Configuration(proxyBeanMethods = false)
	static class DetailsBean {

		private static Object ofThisLine() {
			Class<?> type = Stream
				.of("org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails",
						"org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails")
				.filter((name) -> ClassUtils.isPresent(name, null))
				.map((name) -> ClassUtils.resolveClassName(name, null))
				.findFirst()
				.orElseThrow();
			return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> switch (method.getName()) {
						case "getPassword" -> "secret";
						case "getStandalone" -> standalone(method.getReturnType());
						default -> method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments)
								: method.invoke(DetailsBean.class, arguments);
					});
		}

		private static Object standalone(Class<?> type) {
			return ReflectionUtils.invokeMethod(ReflectionUtils.findMethod(type, "of", String.class, int.class), null,
					SERVER.host(), SERVER.port());
		}

	}

}
