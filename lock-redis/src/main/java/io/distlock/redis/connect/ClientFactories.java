package io.distlock.redis.connect;

import io.distlock.redis.client.ClientFactory;
import io.distlock.redis.lettuce.LettuceClientFactory;
import io.distlock.redis.pooled.PooledClientFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/** Chooses the client for a connection factory. */
public final class ClientFactories {

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			ClientFactories.class.getClassLoader());

	private ClientFactories() {
	}

	/**
	 * Chooses the client. For Lettuce it is asynchronous; otherwise it blocks and uses
	 * connections of the application's pool.
	 * @param factory the application's connection factory
	 * @return a factory; connects to nothing
	 */
	public static ClientFactory of(RedisConnectionFactory factory) {
		return (LETTUCE && LettuceClientFactory.suits(factory)) ? LettuceClientFactory.of(factory)
				: new PooledClientFactory(factory);
	}

}
