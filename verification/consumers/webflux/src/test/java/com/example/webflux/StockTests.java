package com.example.webflux;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The lock is held until the Mono has ended, and no thread waits for it. */
@SpringBootTest
class StockTests {

	private static final RedisServer REDIS = RedisServer.start();

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry properties) {
		properties.add("spring.data.redis.port", REDIS::port);
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

	@Test
	void onlyOneSellsTheBook(@Autowired Stock stock) {
		// Another chain, so another owner; within one the lock is reentrant.
		Mono<String> other = Mono.fromFuture(() -> stock.sell("book", Mono.just("sold twice")).toFuture());
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> stock.sell("book", other).block());
	}

	@SpringBootApplication
	@Import(Stock.class)
	static class Shop {

	}

	@Service
	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "0s")
		public Mono<String> sell(String sku, Mono<String> sale) {
			return sale;
		}

	}

}
