package com.example;

import java.util.concurrent.CompletableFuture;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What an application does with its lock, whatever keeps it. */
@SpringBootTest
public abstract class AbstractStockTests {

	@Test
	void onlyOneSellsTheBook(@Autowired Stock stock) {
		stock.sell("book", () -> {
			stock.sell("pen", () -> {
			});
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> stock.sell("book", () -> {
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
