package io.distlock.redisson;

import io.distlock.test.redis.RedisServer;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

/**
 * A server and a client of Redisson.
 *
 * @param server the server
 * @param client its client
 */
record RedissonServer(RedisServer server, RedissonClient client) implements AutoCloseable {

	static RedissonServer start(String... arguments) {
		RedisServer server = RedisServer.builder().args(arguments).start();
		Config config = new Config();
		config.useSingleServer()
			.setAddress("redis://" + server.host() + ":" + server.port())
			.setConnectionMinimumIdleSize(2)
			.setSubscriptionConnectionMinimumIdleSize(1);
		return new RedissonServer(server, Redisson.create(config));
	}

	RedissonConnectionFactory factory() {
		return new RedissonConnectionFactory(this.client);
	}

	@Override
	public void close() {
		this.client.shutdown();
		this.server.close();
	}

}
