package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.List;

import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.redis.RedisLockProperties.ClientChoice;
import io.distlock.redis.RedisAddress;
import io.distlock.redis.RedisConnections;

/**
 * Makes separate connections for locks, through the configured client or the one that
 * Spring Boot would choose for the application.
 *
 * @param environment determines which client Spring Boot would choose
 * @param path the prefix of the properties
 * @param client the configured client
 * @param timeout how long a command may take
 * @param connectTimeout how long a connection may take to open
 */
record RedisClients(Environment environment, String path, ClientChoice client, Duration timeout,
		Duration connectTimeout) {

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			RedisClients.class.getClassLoader());

	/**
	 * Makes connections to some servers, without connecting yet.
	 * @param addresses the servers
	 * @return the connections
	 * @throws LockConfigurationException if the configured client is not on the class
	 * path
	 */
	RedisConnections connect(List<RedisAddress> addresses) {
		return isLettuce() ? RedisConnections.withLettuce(addresses, this.timeout, this.connectTimeout)
				: RedisConnections.withJedis(addresses, this.timeout, this.connectTimeout);
	}

	/** Returns whether connections are those of Lettuce. */
	boolean isLettuce() {
		return switch (this.client) {
			case AUTO ->
				LETTUCE && !"jedis".equalsIgnoreCase(this.environment.getProperty("spring.data.redis.client-type"));
			case LETTUCE -> {
				requireLettuce(this.path);
				yield true;
			}
			case JEDIS -> {
				requireJedis(this.path);
				yield false;
			}
		};
	}

	static void requireLettuce(String path) {
		require(path, "lettuce", "Lettuce", "io.lettuce.core.RedisClient", "io.lettuce:lettuce-core");
	}

	static void requireJedis(String path) {
		require(path, "jedis", "Jedis", "redis.clients.jedis.Jedis", "redis.clients:jedis");
	}

	private static void require(String path, String value, String name, String type, String dependency) {
		if (!ClassUtils.isPresent(type, null)) {
			throw new LockConfigurationException(
					"The property " + path + "redis.client is " + value + ", but " + name
							+ " is not on the class path.",
					"Add the dependency " + dependency + ", or leave the property out.");
		}
	}

}
