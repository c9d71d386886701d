package io.distlock.redlock;

import java.time.Duration;

import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The clients that Spring Data Redis knows. */
enum Client {

	LETTUCE {
		@Override
		RedisConnectionFactory connect(RedisStandaloneConfiguration configuration) {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}
	},

	JEDIS {
		@Override
		RedisConnectionFactory connect(RedisStandaloneConfiguration configuration) {
			JedisClientConfiguration client = JedisClientConfiguration.builder()
				.readTimeout(Duration.ofSeconds(10))
				.usePooling()
				.build();
			JedisConnectionFactory factory = new JedisConnectionFactory(configuration, client);
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}
	};

	abstract RedisConnectionFactory connect(RedisStandaloneConfiguration configuration);

	RedisConnectionFactory connect(RedisServer server) {
		return connect(new RedisStandaloneConfiguration(server.host(), server.port()));
	}

	static void close(RedisConnectionFactory factory) {
		if (factory instanceof LettuceConnectionFactory lettuce) {
			lettuce.destroy();
		}
		else if (factory instanceof JedisConnectionFactory jedis) {
			jedis.destroy();
		}
	}

}
