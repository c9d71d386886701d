package com.example.redis;

import com.example.AbstractStockTests;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The Redis of the application. */
class StockTests extends AbstractStockTests {

	private static final RedisServer REDIS = RedisServer.start();

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry properties) {
		properties.add("spring.data.redis.port", REDIS::port);
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

}
