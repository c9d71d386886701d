package io.distlock.redis;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.distlock.test.redis.RedisServer;
import redis.clients.jedis.JedisPoolConfig;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Jedis with timeouts that let callers use it themselves, and notes which threads do.
 */
final class CallersJedis extends JedisConnectionFactory {

	/** A half of the default command timeout. */
	static final Duration HALF = Duration.ofMillis(500);

	final Queue<Thread> users = new ConcurrentLinkedQueue<>();

	private CallersJedis(RedisServer server, JedisClientConfiguration client) {
		super(new RedisStandaloneConfiguration(server.host(), server.port()), client);
	}

	static CallersJedis connect(RedisServer server, int connections) {
		return connect(server, connections, HALF);
	}

	static CallersJedis connect(RedisServer server, int connections, Duration read) {
		JedisPoolConfig pool = new JedisPoolConfig();
		pool.setMaxTotal(connections);
		pool.setMaxIdle(connections);
		pool.setMaxWait(HALF);
		CallersJedis factory = new CallersJedis(server,
				JedisClientConfiguration.builder()
					.connectTimeout(HALF)
					.readTimeout(read)
					.usePooling()
					.poolConfig(pool)
					.build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	@Override
	public RedisConnection getConnection() {
		this.users.add(Thread.currentThread());
		return super.getConnection();
	}

}
