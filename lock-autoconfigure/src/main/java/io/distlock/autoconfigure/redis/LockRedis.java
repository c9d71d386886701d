package io.distlock.autoconfigure.redis;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.LockProperties.ClientChoice;
import io.distlock.redis.JedisConnections;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redlock.RedlockAddress;
import io.distlock.redlock.RedlockConnections;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/**
 * The Redis that keeps locks: that of the application, or a server of the locks' own,
 * whose connections are closed with this.
 *
 * @param factory makes connections
 * @param closer closes connections of the locks' own, {@code null} for the application's
 */
record LockRedis(RedisConnectionFactory factory, @Nullable Runnable closer) implements AutoCloseable {

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			LockRedis.class.getClassLoader());

	/**
	 * Chooses the server, and never the first of several.
	 * @param beans has the connection factories of the application
	 * @param path what precedes the names of the properties
	 * @param properties what is configured
	 * @param timeout how long a command to a server of the locks' own may take
	 * @param environment says which client Spring Boot would choose
	 * @return the server
	 * @throws LockConfigurationException if there is none, or the choice is open
	 */
	static LockRedis of(ListableBeanFactory beans, String path, LockProperties.Redis properties, Duration timeout,
			Environment environment) {
		String url = properties.url();
		String name = properties.connectionFactory();
		if (url != null && name != null) {
			throw new LockConfigurationException(
					"The properties " + path + "redis.url and " + path
							+ "redis.connection-factory are both set, and locks are kept on one server.",
					"Remove one of them.");
		}
		if (url != null) {
			RedlockConnections own = connections(List.of(address(path, url)), timeout, environment, path, properties);
			RedisConnectionFactory factory = own.nodes().get(0).connectionFactory();
			if (properties.client() != ClientChoice.JEDIS) {
				return new LockRedis(factory, own::close);
			}
			try (own) {
				return jedis(beans, path, factory, timeout, environment);
			}
		}
		RedisConnectionFactory application = (name != null) ? named(beans, path, name) : unnamed(beans, path);
		return switch (properties.client()) {
			case AUTO -> new LockRedis(application, null);
			case LETTUCE -> new LockRedis(requireLettuce(path, application), null);
			case JEDIS -> jedis(beans, path, application, timeout, environment);
		};
	}

	/** Beside the client of the application. */
	private static LockRedis jedis(ListableBeanFactory beans, String path, RedisConnectionFactory application,
			Duration timeout, Environment environment) {
		requirePresent(path, "jedis", "redis.clients.jedis.Jedis", "redis.clients:jedis");
		try {
			JedisConnections connections = JedisConnections.like(application, timeout,
					tls(beans, application, environment));
			return new LockRedis(connections.factory(), connections::close);
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(
					"The property " + path + "redis.client is jedis, but the application's connection factory "
							+ ForeignText.messageOf(ex) + ".",
					"Leave the property out, or declare a JedisConnectionFactory bean and name it with " + path
							+ "redis.connection-factory.");
		}
		catch (IllegalStateException ex) {
			throw new LockConfigurationException(
					"The property " + path + "redis.client is jedis, which needs its Sentinels or the nodes of its "
							+ "Cluster at startup. " + ForeignText.messageOf(ex) + ".",
					"Start them first, or leave the property out: with Lettuce an application starts while they are "
							+ "away.");
		}
	}

	/**
	 * The SSL bundle with which Spring Boot secures the connections of its own factory.
	 * Another factory may trust another authority.
	 */
	private static JedisConnections.@Nullable Tls tls(ListableBeanFactory beans, RedisConnectionFactory application,
			Environment environment) {
		String name = environment.getProperty("spring.data.redis.ssl.bundle");
		if (!StringUtils.hasLength(name) || !isOfSpringBoot(beans, application)) {
			return null;
		}
		SslBundles bundles = beans.getBeanProvider(SslBundles.class).getIfAvailable();
		if (bundles == null) {
			return null;
		}
		SslBundle bundle = bundles.getBundle(name);
		SslOptions options = bundle.getOptions();
		return new JedisConnections.Tls(bundle.createSslContext().getSocketFactory(),
				new SSLParameters(options.getCiphers(), options.getEnabledProtocols()));
	}

	private static boolean isOfSpringBoot(ListableBeanFactory beans, RedisConnectionFactory application) {
		return Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RedisConnectionFactory.class))
			.filter((name) -> isMadeBySpringBoot(beans, name))
			.anyMatch((name) -> beans.getBean(name) == application);
	}

	private static boolean isMadeBySpringBoot(ListableBeanFactory beans, String name) {
		try {
			if (!(beans instanceof ConfigurableBeanFactory known)
					|| !(known.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)) {
				return false;
			}
			Method method = definition.getResolvedFactoryMethod();
			return method != null && method.getDeclaringClass().getName().startsWith("org.springframework.boot.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			// An object that was registered without a definition.
			return false;
		}
	}

	private static RedisConnectionFactory requireLettuce(String path, RedisConnectionFactory application) {
		requirePresent(path, "lettuce", "io.lettuce.core.RedisClient", "io.lettuce:lettuce-core");
		if (application.getClass().getName().contains("Jedis")) {
			throw new LockConfigurationException(
					"The property " + path + "redis.client is lettuce, but the application's connection factory is a "
							+ application.getClass().getSimpleName() + ".",
					"Set spring.data.redis.client-type to lettuce, or declare a LettuceConnectionFactory bean and name it "
							+ "with " + path + "redis.connection-factory.");
		}
		return application;
	}

	private static void requirePresent(String path, String client, String type, String dependency) {
		if (!ClassUtils.isPresent(type, null)) {
			throw new LockConfigurationException(
					"The property " + path + "redis.client is " + client + ", but " + StringUtils.capitalize(client)
							+ " is not on the class path.",
					"Add the dependency " + dependency + ", or leave the property out.");
		}
	}

	static RedisLockStoreSettings settings(String path, LockProperties.Redis properties, LockSettings settings) {
		Integer required = properties.replicas().required();
		Duration timeout = properties.replicas().timeout();
		if (timeout != null && timeout.compareTo(settings.commandTimeout()) > 0) {
			throw new LockConfigurationException(
					"The property " + path + "redis.replicas.timeout is " + DurationText.of(timeout)
							+ " but must be at most the command timeout, which is "
							+ DurationText.of(settings.commandTimeout()) + ".",
					"Lower it, or raise distributed-lock.command-timeout.");
		}
		RedisLockStoreSettings.Builder store = RedisLockStoreSettings.builder()
			.prefix(properties.keyPrefix())
			.commandTimeout(settings.commandTimeout())
			.pollInterval(properties.pollInterval())
			.connectTimeout(properties.connectTimeout())
			.quarantine(properties.quarantine())
			.failoverDelay(properties.failoverDelay())
			.replicas((required != null) ? required : 0);
		if (timeout != null) {
			store.replicaTimeout(timeout);
		}
		return store.build();
	}

	/** If not chosen, with the client that Spring Boot would choose for its own. */
	static RedlockConnections connections(List<RedlockAddress> addresses, Duration timeout, Environment environment,
			String path, LockProperties.Redis redis) {
		ClientChoice client = redis.client();
		boolean jedis = "jedis".equalsIgnoreCase(environment.getProperty("spring.data.redis.client-type"));
		switch (client) {
			case JEDIS -> requirePresent(path, "jedis", "redis.clients.jedis.Jedis", "redis.clients:jedis");
			case LETTUCE -> requirePresent(path, "lettuce", "io.lettuce.core.RedisClient", "io.lettuce:lettuce-core");
			case AUTO -> {
			}
		}
		boolean lettuce = (client == ClientChoice.AUTO) ? LETTUCE && !jedis : client == ClientChoice.LETTUCE;
		return lettuce ? RedlockConnections.withLettuce(addresses, timeout, redis.connectTimeout())
				: RedlockConnections.withJedis(addresses, timeout, redis.connectTimeout());
	}

	private static RedlockAddress address(String path, String url) {
		try {
			return RedlockAddress.parse(url);
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(
					"The property " + path + "redis.url " + ForeignText.messageOf(ex) + ".",
					"Write redis://user:password@host:port/database, with rediss:// for TLS. For Sentinel or Cluster "
							+ "declare a RedisConnectionFactory bean and name it with " + path
							+ "redis.connection-factory.");
		}
	}

	private static RedisConnectionFactory named(ListableBeanFactory beans, String path, String name) {
		try {
			return beans.getBean(name, RedisConnectionFactory.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw new LockConfigurationException(
					"The property " + path + "redis.connection-factory is '" + ForeignText.of(name)
							+ "', but no RedisConnectionFactory bean has this name.",
					"Set it to one of: " + String.join(", ",
							BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RedisConnectionFactory.class))
							+ ".");
		}
	}

	private static RedisConnectionFactory unnamed(ListableBeanFactory beans, String path) {
		try {
			RedisConnectionFactory factory = beans.getBeanProvider(RedisConnectionFactory.class).getIfAvailable();
			if (factory != null) {
				return factory;
			}
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new LockConfigurationException(
					"Locks are kept in Redis, but there are several RedisConnectionFactory beans: "
							+ String.join(", ", ex.getBeanNamesFound()) + ".",
					"Set " + path + "redis.connection-factory to the name of one, or " + path
							+ "redis.url to a server of the locks' own. All applications that share locks need the same "
							+ "server.");
		}
		throw new LockConfigurationException("Locks are kept in Redis, but there is no RedisConnectionFactory bean.",
				"Add spring-boot-starter-data-redis and set spring.data.redis.*, or set " + path
						+ "redis.url to the server of the locks.");
	}

	@Override
	public void close() {
		if (this.closer != null) {
			this.closer.run();
		}
	}

}
