package io.distlock.benchmark.peer;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
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
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(this.host, this.port));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
