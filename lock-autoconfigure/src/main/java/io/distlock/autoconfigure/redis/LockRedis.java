package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties;
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
 * @param own the connections of the locks' own, {@code null} for the application's
 */
record LockRedis(RedisConnectionFactory factory, @Nullable RedlockConnections own) implements AutoCloseable {

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			LockRedis.class.getClassLoader());

	/**
	 * Chooses the server, and never the first of several.
	 * @param beans has the connection factories of the application
	 * @param path what precedes the names of the properties
	 * @param properties what is configured
	 * @param timeout how long connecting to a server of the locks' own may take
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
			RedlockConnections own = connections(List.of(address(path, url)), timeout, environment);
			return new LockRedis(own.nodes().get(0).connectionFactory(), own);
		}
		return new LockRedis((name != null) ? named(beans, path, name) : unnamed(beans, path), null);
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

	/** With the client that Spring Boot would choose for its own connections. */
	static RedlockConnections connections(List<RedlockAddress> addresses, Duration timeout, Environment environment) {
		boolean jedis = "jedis".equalsIgnoreCase(environment.getProperty("spring.data.redis.client-type"));
		return (LETTUCE && !jedis) ? RedlockConnections.withLettuce(addresses, timeout)
				: RedlockConnections.withJedis(addresses, timeout);
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
		if (this.own != null) {
			this.own.close();
		}
	}

}
