package com.example.template;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

// tag::redis[]
@Configuration(proxyBeanMethods = false)
class RedisConfiguration {

	@Bean
	@Primary
	LettuceConnectionFactory cacheRedis(@Value("${app.cache.port:6379}") int port) {
		return new LettuceConnectionFactory("localhost", port);
	}

	@Bean
	LettuceConnectionFactory sessionRedis(@Value("${app.sessions.port:6380}") int port) {
		return new LettuceConnectionFactory("localhost", port);
	}

	@Bean
	RedisTemplate<String, Object> redisTemplate(RedisConnectionFactory redis) {
		RedisTemplate<String, Object> template = new RedisTemplate<>();
		template.setConnectionFactory(redis);
		template.setKeySerializer(RedisSerializer.string());
		template.setValueSerializer(RedisSerializer.json());
		return template;
	}

}
// end::redis[]
