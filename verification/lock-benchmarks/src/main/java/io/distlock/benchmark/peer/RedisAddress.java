package io.distlock.benchmark.peer;

import io.distlock.redis.JedisConnections;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Where the measured server listens.
 *
 * @param host its host
 * @param port its port
 */
public record RedisAddress(String host, int port) {

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
	 * Makes a pool of Jedis connections, as locks have with the client Jedis.
	 * @return the pool; close it when done
	 */
	JedisConnections connectJedis() {
		LettuceConnectionFactory application = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(this.host, this.port));
		return JedisConnections.like(application, OurPeer.TIMEOUT, null);
	}

}
