package com.example.lettuce;

import java.util.concurrent.CompletableFuture;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The starter with nothing else: its Redis is that of the application. */
@SpringBootTest
class StockTests {

	private static final RedisServer REDIS = RedisServer.start();

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry properties) {
		properties.add("spring.data.redis.port", REDIS::port);
	}

	private final Stock stock;

	StockTests(@Autowired Stock stock) {
		this.stock = stock;
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

	@Test
	void onlyOneSellsTheBook() {
		this.stock.sell("book", () -> {
			this.stock.sell("pen", () -> {
			});
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> this.stock.sell("book", () -> {
			}));
			assertThatThrownBy(other::join).hasCauseInstanceOf(LockBusyException.class);
		});
	}

	@SpringBootApplication
	@Import(Stock.class)
	static class Shop {

	}

	@Service
	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "0s")
		public void sell(String sku, Runnable sale) {
			sale.run();
		}

	}

}
