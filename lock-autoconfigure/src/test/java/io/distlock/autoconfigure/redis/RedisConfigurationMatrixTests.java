package io.distlock.autoconfigure.redis;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConfigurationTable;
import io.distlock.autoconfigure.ConfigurationTable.Row;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.output.LogLines;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each way in which an application configures its Redis, with this line of Spring Boot:
 * either locks work, or the application does not start and reads how to mend that.
 */
@Tag("ci")
class RedisConfigurationMatrixTests {

	private static final String SECRET = "secret";

	private static final RedisServer SERVER = started("--requirepass", SECRET);

	private static final RedisServer REPLICA = started("--masterauth", SECRET, "--requirepass", SECRET, "--replicaof",
			SERVER.host(), String.valueOf(SERVER.port()));

	private static final RedisSentinel SENTINEL = RedisSentinel.builder().downAfter(Duration.ofMinutes(1)).start();

	private static final RedisSentinel GUARDED = guarded();

	private static final RedisCluster CLUSTER = RedisCluster.builder().masters(2).replicas(1).start();

	private static final SecuredRedis SECURED = SecuredRedis.start();

	private static final String PASSWORD = "spring.data.redis.password=" + SECRET;

	private static final String OWN_SERVER = "distributed-lock.redis.url";

	private static RedisServer started(String... arguments) {
		return RedisServer.builder().args(arguments).start();
	}

	/** Servers with a password, watched by a Sentinel with a user of its own. */
	private static RedisSentinel guarded() {
		RedisSentinel all = RedisSentinel.builder().downAfter(Duration.ofMinutes(1)).start();
		for (RedisServer server : List.of(all.replica(), all.master())) {
			server.command("CONFIG", "SET", "masterauth", SECRET);
			server.command("CONFIG", "SET", "requirepass", SECRET);
		}
		RedisServer sentinel = all.sentinels().get(0);
		sentinel.command("SENTINEL", "SET", all.masterName(), "auth-pass", SECRET);
		sentinel.command("ACL", "SETUSER", "watcher", "on", ">watching", "allchannels", "+@all");
		sentinel.command("ACL", "SETUSER", "default", "off");
		return all;
	}

	@AfterAll
	static void stop() {
		SECURED.close();
		CLUSTER.close();
		GUARDED.close();
		SENTINEL.close();
		REPLICA.close();
		SERVER.close();
	}

	/**
	 * A cell.
	 *
	 * @param row what is configured, and what becomes of locks
	 * @param properties the properties
	 * @param beans beans of the application
	 * @param since a type that a line of Spring Boot has if it knows the properties
	 */
	record Cell(Row row, List<String> properties, Class<?> beans, String since) {

		@Override
		public String toString() {
			return this.row.toString();
		}

		boolean isKnown() {
			return ClassUtils.isPresent(this.since, null);
		}

		Cell with(Class<?> more) {
			return new Cell(this.row, this.properties, more, this.since);
		}

		Cell since(String type) {
			return new Cell(this.row, this.properties, this.beans, type);
		}

	}

	private static Cell works(String way, String... properties) {
		return refused(way, "", properties);
	}

	private static Cell refused(String way, String fix, String... properties) {
		return new Cell(new Row(way, fix), List.of(properties), None.class, "java.lang.Object");
	}

	private static String[] with(RedisServer server, String... more) {
		return concat(
				List.of("spring.data.redis.host=" + server.host(), "spring.data.redis.port=" + server.port(), PASSWORD),
				more);
	}

	private static String[] withSentinel(String... more) {
		return concat(List.of("spring.data.redis.sentinel.master=" + SENTINEL.masterName(),
				"spring.data.redis.sentinel.nodes=" + nodes(SENTINEL.sentinels())), more);
	}

	private static String[] withGuarded(String... more) {
		return concat(List.of("spring.data.redis.sentinel.master=" + GUARDED.masterName(),
				"spring.data.redis.sentinel.nodes=" + nodes(GUARDED.sentinels())), more);
	}

	private static String[] guardedByProperties(String... more) {
		return withGuarded(concat(List.of("spring.data.redis.sentinel.username=watcher",
				"spring.data.redis.sentinel.password=watching", PASSWORD), more));
	}

	private static String[] withCluster(String... more) {
		return concat(List.of("spring.data.redis.cluster.nodes=" + nodes(CLUSTER.nodes())), more);
	}

	private static String[] concat(List<String> first, String... more) {
		return Stream.concat(first.stream(), Stream.of(more)).toArray(String[]::new);
	}

	private static String nodes(List<RedisServer> servers) {
		return servers.stream().map((node) -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
	}

	private static String url() {
		return "redis://:" + SECRET + "@" + SERVER.host() + ":" + SERVER.port();
	}

	private static List<Cell> cells() {
		List<Cell> cells = new ArrayList<>();
		addServers(cells);
		addTopologies(cells);
		addBeans(cells);
		return cells;
	}

	private static void addServers(List<Cell> cells) {
		String jedis = "spring.data.redis.client-type=jedis";
		String locksWithJedis = "distributed-lock.redis.client=jedis";
		String bundle = "spring.data.redis.ssl.bundle=" + SecuredRedis.BUNDLE;
		String secure = "spring.data.redis.url=" + SECURED.url();
		cells.addAll(List.of(works("`spring.data.redis.host`, `port`, `password`", with(SERVER)),
				works("`spring.data.redis.url`", "spring.data.redis.url=" + url() + "/2"),
				works("`username` and `database`",
						with(SERVER, "spring.data.redis.username=default", "spring.data.redis.database=3")),
				works("`client-name`", with(SERVER, "spring.data.redis.client-name=shop")),
				works("`timeout` and `connect-timeout`",
						with(SERVER, "spring.data.redis.timeout=20s", "spring.data.redis.connect-timeout=20s")),
				works("a pool of Lettuce",
						with(SERVER, "spring.data.redis.lettuce.pool.enabled=true",
								"spring.data.redis.lettuce.pool.max-active=2")),
				works("Jedis", with(SERVER, jedis)),
				works("Jedis without a pool", with(SERVER, jedis, "spring.data.redis.jedis.pool.enabled=false")),
				works("`distributed-lock.redis.client` is jedis", with(SERVER, locksWithJedis)),
				works("`distributed-lock.redis.url`", OWN_SERVER + "=" + url()),
				refused("a wrong password", "check `spring.data.redis.password`",
						"spring.data.redis.host=" + SERVER.host(), "spring.data.redis.port=" + SERVER.port(),
						"spring.data.redis.password=wrong"),
				works("TLS with a bundle", SECURED.properties(bundle)),
				works("TLS with a bundle, Jedis", SECURED.properties(bundle, jedis)),
				works("TLS with a bundle, locks with Jedis", SECURED.properties(bundle, locksWithJedis)),
				works("`rediss://` with a bundle", SECURED.properties(secure, bundle)),
				works("`rediss://` with a bundle, Jedis", SECURED.properties(secure, bundle, jedis))));
	}

	private static void addTopologies(List<Cell> cells) {
		String jedis = "spring.data.redis.client-type=jedis";
		String locksWithJedis = "distributed-lock.redis.client=jedis";
		String property = "spring.data.redis.lettuce.read-from=replica-preferred";
		cells.addAll(List.of(works("Sentinel", withSentinel()), works("Sentinel, Jedis", withSentinel(jedis)),
				works("Sentinel, locks with Jedis", withSentinel(locksWithJedis)),
				works("Sentinel with a user of its own", guardedByProperties()),
				works("Sentinel with a user of its own, Jedis", guardedByProperties(jedis)),
				works("Sentinel with a user of its own, locks with Jedis", guardedByProperties(locksWithJedis)),
				works("Sentinel, reading from replicas", withSentinel()).with(ReadFromReplicas.class),
				works("Sentinel with a user of its own, reading from replicas", guardedByProperties())
					.with(ReadFromReplicas.class),
				works("Cluster", withCluster()), works("Cluster, Jedis", withCluster(jedis)),
				works("Cluster, locks with Jedis", withCluster(locksWithJedis)),
				works("Cluster, a pool of Lettuce", withCluster("spring.data.redis.lettuce.pool.enabled=true")),
				works("Cluster with refresh of the topology",
						withCluster("spring.data.redis.lettuce.cluster.refresh.adaptive=true",
								"spring.data.redis.lettuce.cluster.refresh.period=1s")),
				works("Cluster, reading from replicas", withCluster()).with(ReadFromReplicas.class),
				works("a primary, reading from replicas", with(SERVER)).with(ReadFromReplicas.class),
				refused("a replica, reading from replicas",
						"set `distributed-lock.redis.url` to the primary, or configure it for the application",
						with(REPLICA))
					.with(ReadFromReplicas.class),
				works("`spring.data.redis.lettuce.read-from`, at a primary", with(SERVER, property)),
				works("`spring.data.redis.lettuce.read-from`, with Sentinel", withSentinel(property)),
				works("`spring.data.redis.lettuce.read-from`, with Cluster", withCluster(property)),
				refused("`spring.data.redis.masterreplica.nodes` (Spring Boot 4.1)",
						"set `distributed-lock.redis.url` to the primary",
						"spring.data.redis.masterreplica.nodes=" + nodes(List.of(SERVER, REPLICA)), PASSWORD)
					.since("org.springframework.boot.data.redis.autoconfigure.DataRedisProperties$Masterreplica")));
	}

	private static void addBeans(List<Cell> cells) {
		String locksWithJedis = "distributed-lock.redis.client=jedis";
		cells.addAll(List.of(works("connection details as a bean").with(DetailsBean.class),
				works("a connection factory as a bean").with(FactoryBean.class),
				works("a connection factory that something wraps", with(SERVER)).with(Wrapping.class),
				works("a credentials provider", "spring.data.redis.host=" + SERVER.host(),
						"spring.data.redis.port=" + SERVER.port())
					.with(Provider.class),
				works("a credentials provider, Sentinel", withGuarded()).with(Provider.class),
				refused("a credentials provider, locks with Jedis",
						"leave out `distributed-lock.redis.client`, or mark a factory with "
								+ "`@LockRedisConnectionFactory`",
						"spring.data.redis.host=" + SERVER.host(), "spring.data.redis.port=" + SERVER.port(),
						locksWithJedis)
					.with(Provider.class),
				refused("several connection factories",
						"mark one with `@LockRedisConnectionFactory`, or set `distributed-lock.redis.url`")
					.with(Several.class),
				works("several connection factories, one of them primary").with(Primary.class),
				works("several connection factories, one of them marked").with(Marked.class),
				refused("no connection factory", "set `spring.data.redis.*` or `distributed-lock.redis.url`")
					.with(Nothing.class),
				refused("a list of primary and replicas as a bean", "set `distributed-lock.redis.url` to the primary")
					.with(ListBean.class),
				works("such a list, and `distributed-lock.redis.url`", OWN_SERVER + "=" + url()).with(ListBean.class)));
	}

	static Stream<Cell> known() {
		return cells().stream().filter(Cell::isKnown);
	}

	@Test
	void thePageHasTheseCells() {
		ConfigurationTable.expect("Redis", cells().stream().map(Cell::row).toList());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("known")
	void locksWorkOrTheApplicationIsRefusedWithTheFix(Cell cell) {
		try (LogLines log = LogLines.of("io.distlock", Level.WARN)) {
			process(cell).run((context) -> {
				if (cell.row().works()) {
					assertThat(context).hasNotFailed();
					assertThat(log.messages(Level.WARN)).noneMatch((line) -> line.contains("was not checked"));
					try (LockHandle lock = context.getBean(LockTemplate.class).acquire("matrix")) {
						assertThat(lock.isHeld()).isTrue();
						process(cell).run(RedisConfigurationMatrixTests::isRefusedTheLock);
					}
				}
				else {
					assertThat(context).hasFailed();
					assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
						.isInstanceOf(LockConfigurationException.class)
						.satisfies((refusal) -> assertThat(refusal.getMessage()).contains(cell.row().named()));
				}
			});
		}
	}

	private static void isRefusedTheLock(AssertableApplicationContext other) {
		assertThat(other).hasNotFailed();
		assertThat(other.getBean(LockTemplate.class).tryAcquire("matrix")).isEmpty();
	}

	private static ApplicationContextRunner process(Cell cell) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
			.withUserConfiguration(cell.beans())
			.withInitializer((context) -> OfThisLine.register(context.getBeanFactory(), cell.beans()))
			.withPropertyValues("distributed-lock.command-timeout=10s", "distributed-lock.store=redis")
			.withPropertyValues(cell.properties().toArray(String[]::new));
		return (cell.beans() != Nothing.class) ? runner.withConfiguration(LockApplications.redis()) : runner;
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

	@Configuration(proxyBeanMethods = false)
	static class Several {

		@Bean
		LettuceConnectionFactory cache() {
			return new LettuceConnectionFactory(server());
		}

		@Bean
		LettuceConnectionFactory sessions() {
			return new LettuceConnectionFactory(server());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Primary {

		@Bean
		@org.springframework.context.annotation.Primary
		LettuceConnectionFactory cache() {
			return new LettuceConnectionFactory(server());
		}

		@Bean
		LettuceConnectionFactory nowhere() {
			return new LettuceConnectionFactory(SERVER.host(), 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Marked {

		@Bean
		@LockRedisConnectionFactory
		LettuceConnectionFactory locks() {
			return new LettuceConnectionFactory(server());
		}

		@Bean
		LettuceConnectionFactory nowhere() {
			return new LettuceConnectionFactory(SERVER.host(), 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Nothing {

	}

	@Configuration(proxyBeanMethods = false)
	static class ReadFromReplicas {

		static void customize(LettuceClientConfigurationBuilder client) {
			client.readFrom(ReadFrom.REPLICA_PREFERRED);
		}

	}

	/** As for tokens of a cloud. */
	@Configuration(proxyBeanMethods = false)
	static class Provider {

		static void customize(LettuceClientConfigurationBuilder client) {
			client.redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {

				@Override
				public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
					return () -> Mono.just(RedisCredentials.just("default", SECRET));
				}

				@Override
				public RedisCredentialsProvider createSentinelCredentialsProvider(RedisSentinelConfiguration watched) {
					return () -> Mono.just(RedisCredentials.just("watcher", "watching"));
				}

			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DetailsBean {

	}

	/** Beans whose types have another name on each line of Spring Boot. */
	private static final class OfThisLine {

		private static final String OLDER = "org.springframework.boot.autoconfigure.data.redis.";

		private static final String NEWER = "org.springframework.boot.data.redis.autoconfigure.";

		static void register(ConfigurableListableBeanFactory factory, Class<?> beans) {
			if (beans == DetailsBean.class) {
				factory.registerSingleton("details", details());
			}
			if (beans == ReadFromReplicas.class) {
				factory.registerSingleton("customizer", customizer(ReadFromReplicas::customize));
			}
			if (beans == Provider.class) {
				factory.registerSingleton("customizer", customizer(Provider::customize));
			}
		}

		private static Object customizer(Consumer<LettuceClientConfigurationBuilder> change) {
			return LockApplications.ofThisLine((proxy, method, arguments) -> {
				if (!method.getName().equals("customize")) {
					return method.invoke(change, arguments);
				}
				change.accept((LettuceClientConfigurationBuilder) arguments[0]);
				return null;
			}, OLDER + "LettuceClientConfigurationBuilderCustomizer",
					NEWER + "LettuceClientConfigurationBuilderCustomizer");
		}

		private static Object details() {
			return LockApplications.ofThisLine((proxy, method, arguments) -> switch (method.getName()) {
				case "getPassword" -> SECRET;
				case "getStandalone" -> standalone(method.getReturnType());
				default -> method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments)
						: method.invoke(DetailsBean.class, arguments);
			}, OLDER + "RedisConnectionDetails", NEWER + "DataRedisConnectionDetails");
		}

		private static Object standalone(Class<?> type) {
			return ReflectionUtils.invokeMethod(ReflectionUtils.findMethod(type, "of", String.class, int.class), null,
					SERVER.host(), SERVER.port());
		}

	}

}
