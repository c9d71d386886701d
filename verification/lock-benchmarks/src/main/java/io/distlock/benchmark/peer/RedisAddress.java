package io.distlock.benchmark.peer;

import redis.clients.jedis.JedisPoolConfig;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Where the measured server listens.
 *
 * @param host its host
 * @param port its port
 */
public record RedisAddress(String host, int port) {

	/** As many as our locks have. */
	private static final int CONNECTIONS = 64;

	/**
	 * Makes a connection factory as Spring Boot would.
	 * @return a started factory; destroy it when done
	 */
	public LettuceConnectionFactory connect() {
		// A configuration that is made without a builder waits for 100 ms when it is
		// closed.
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(this.host, this.port), LettuceClientConfiguration.builder().build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/**
	 * Makes a connection factory on a pool of Jedis, as Spring Boot would. The pool is
	 * large enough for each thread of a measurement.
	 * @return a started factory; destroy it when done
	 */
	JedisConnectionFactory connectJedis() {
		JedisPoolConfig pool = new JedisPoolConfig();
		pool.setMaxTotal(CONNECTIONS);
		pool.setMaxIdle(CONNECTIONS);
		JedisConnectionFactory factory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration(this.host, this.port),
				JedisClientConfiguration.builder()
					.connectTimeout(OurPeer.TIMEOUT)
					.readTimeout(OurPeer.TIMEOUT)
					.usePooling()
					.poolConfig(pool)
					.build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
