package com.example.zookeeper;

import java.util.concurrent.CompletableFuture;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import org.apache.curator.test.TestingServer;
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

/** The starter for ZooKeeper. */
@SpringBootTest
class StockTests {

	private static TestingServer server;

	@DynamicPropertySource
	static void zooKeeper(DynamicPropertyRegistry properties) throws Exception {
		server = new TestingServer();
		properties.add("distributed-lock.zookeeper.connect-string", server::getConnectString);
	}

	private final Stock stock;

	StockTests(@Autowired Stock stock) {
		this.stock = stock;
	}

	@AfterAll
	static void stop() throws Exception {
		server.close();
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
