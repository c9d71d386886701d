package com.example.plainspring;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.spring.EnableDistributedLocks;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Service;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** One annotation and one bean. */
@SpringJUnitConfig
class StockTests {

	private final Stock stock;

	StockTests(@Autowired Stock stock) {
		this.stock = stock;
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

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	@Import(Stock.class)
	static class Shop {

		@Bean
		RedisServer server() {
			return RedisServer.start();
		}

		@Bean
		LettuceConnectionFactory redis(RedisServer server) {
			return new LettuceConnectionFactory(server.host(), server.port());
		}

		@Bean
		CloseableLockTemplate locks(RedisConnectionFactory redis) {
			// The machine is busy with tests meanwhile.
			Duration timeout = Duration.ofSeconds(10);
			return LockTemplateBuilder
				.forStore(new RedisLockStore(redis, RedisLockStoreSettings.builder().commandTimeout(timeout).build()))
				.settings(LockSettings.builder().commandTimeout(timeout).build())
				.build();
		}

	}

	@Service
	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "0s")
		public void sell(String sku, Runnable sale) {
			sale.run();
		}

	}

}
