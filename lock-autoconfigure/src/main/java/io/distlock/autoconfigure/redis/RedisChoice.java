package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockStoreFactory.Definition;
import io.distlock.autoconfigure.MarkedBeans;
import io.distlock.autoconfigure.redis.RedisLockProperties.ClientChoice;
import io.distlock.redis.JedisConnections;
import io.distlock.redis.RedisAddress;
import io.distlock.redis.RedisConnections;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.support.ForeignText;

/**
 * Chooses the Redis that keeps locks, and its client. It never picks the first of
 * several.
 */
final class RedisChoice {

	private static final Logger logger = LoggerFactory.getLogger(RedisChoice.class);

	private static final String JEDIS_FACTORY = "org.springframework.data.redis.connection.jedis.JedisConnectionFactory";

	private final ListableBeanFactory beans;

	private final Environment environment;

	private final String path;

	private final String id;

	private final ClientChoice client;

	private final @Nullable String url;

	private final Duration timeout;

	private final Duration connectTimeout;

	/**
	 * Prepares a choice.
	 * @param beans has the connection factories of the application
	 * @param environment has the settings of the application's connections
	 * @param definition the store
	 * @param properties the properties of the store
	 * @param settings have the timeouts of separate connections
	 */
	RedisChoice(ListableBeanFactory beans, Environment environment, Definition definition,
			RedisLockProperties properties, RedisLockStoreSettings settings) {
		this.beans = beans;
		this.environment = environment;
		this.path = definition.path();
		this.id = definition.id();
		this.client = properties.client();
		this.url = properties.url();
		this.timeout = settings.commandTimeout();
		this.connectTimeout = settings.connectTimeout();
	}

	/**
	 * Makes the choice.
	 * @return the server, with the client
	 * @throws LockConfigurationException if there is no server, or the choice is open
	 */
	LockRedis choose() {
		if (this.url != null) {
			return ownServer(this.url);
		}
		RedisConnectionFactory application = ofApplication();
		return switch (this.client) {
			case AUTO -> usual(application);
			case LETTUCE -> LockRedis.ofApplication(requireLettuce(application));
			case JEDIS -> throughJedis(application);
		};
	}

	/**
	 * Returns the usual connections. With Spring Boot's configuration, the pool of an
	 * application on Jedis may block a thread for ever, so locks get separate
	 * connections. Exceptions are a subclass, which may have features that cannot be
	 * copied, and a Cluster, where callers never send commands themselves.
	 */
	private LockRedis usual(RedisConnectionFactory application) {
		if (application.getClass().getName().equals(JEDIS_FACTORY) && !Jedis.isCluster(application)) {
			try {
				return ofJedis(JedisConnections.like(application, this.timeout, null));
			}
			catch (IllegalArgumentException | IllegalStateException ex) {
				logger.debug("Locks use the connections of the application", ex);
			}
		}
		return LockRedis.ofApplication(application);
	}

	private static LockRedis ofJedis(JedisConnections connections) {
		return new LockRedis(connections.factory(), connections::close);
	}

	private LockRedis ownServer(String url) {
		RedisClients clients = new RedisClients(this.environment, this.path, this.client, this.timeout,
				this.connectTimeout);
		RedisConnections own = clients.connect(List.of(address(url)));
		RedisConnectionFactory factory = own.servers().get(0).factory();
		if (clients.isLettuce()) {
			return new LockRedis(factory, own::close);
		}
		try (own) {
			return throughJedis(factory);
		}
	}

	private RedisAddress address(String url) {
		try {
			return RedisAddress.parse(url);
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(
					"The property " + this.path + "redis.url " + ForeignText.messageOf(ex) + ".",
					"Write redis://user:password@host:port/database, with rediss:// for TLS. For Sentinel or Cluster "
							+ "declare a RedisConnectionFactory bean that is marked with @LockRedisConnectionFactory.");
		}
	}

	/** Makes separate connections to the servers of another client. */
	private LockRedis throughJedis(RedisConnectionFactory other) {
		RedisClients.requireJedis(this.path);
		try {
			return ofJedis(
					JedisConnections.like(other, this.timeout, SpringBootTls.of(other, this.beans, this.environment)));
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(
					"The property " + this.path + "redis.client is jedis, but the application's connection factory "
							+ ForeignText.messageOf(ex) + ".",
					"Leave the property out, or declare a JedisConnectionFactory bean that is marked with "
							+ "@LockRedisConnectionFactory.");
		}
		catch (IllegalStateException ex) {
			throw new LockConfigurationException(
					"The property " + this.path
							+ "redis.client is jedis, which needs its Sentinels or the nodes of its "
							+ "Cluster at startup. " + ForeignText.messageOf(ex) + ".",
					"Start them first, or leave the property out: with Lettuce an application starts while they are "
							+ "away.");
		}
	}

	private RedisConnectionFactory requireLettuce(RedisConnectionFactory application) {
		RedisClients.requireLettuce(this.path);
		if (application.getClass().getName().contains("Jedis")) {
			throw new LockConfigurationException(
					"The property " + this.path
							+ "redis.client is lettuce, but the application's connection factory is a "
							+ application.getClass().getSimpleName() + ".",
					"Set spring.data.redis.client-type to lettuce, or declare a LettuceConnectionFactory bean that is marked "
							+ "with @LockRedisConnectionFactory.");
		}
		return application;
	}

	private RedisConnectionFactory ofApplication() {
		try {
			Optional<RedisConnectionFactory> factory = MarkedBeans.find(this.beans, RedisConnectionFactory.class,
					LockRedisConnectionFactory.class, this.id);
			if (factory.isPresent()) {
				return factory.get();
			}
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new LockConfigurationException(
					"Locks are kept in Redis, but there are several RedisConnectionFactory beans: "
							+ String.join(", ", ex.getBeanNamesFound()) + ".",
					"Mark one with @LockRedisConnectionFactory, or set " + this.path
							+ "redis.url to a server of the locks' own. All applications that share locks need the same "
							+ "server.");
		}
		throw new LockConfigurationException("Locks are kept in Redis, but there is no RedisConnectionFactory bean.",
				"Add spring-boot-starter-data-redis and set spring.data.redis.*, or set " + this.path
						+ "redis.url to the server of the locks.");
	}

	/** Loaded only if Jedis is on the class path. */
	private static final class Jedis {

		static boolean isCluster(RedisConnectionFactory factory) {
			return ((JedisConnectionFactory) factory).isRedisClusterAware();
		}

	}

}
