package com.example.memory;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Locks of one process, tested as the page about tests says. */
@SpringBootTest
@AutoConfigureDistributedLocks
class StockTests {

	private final Stock stock;

	StockTests(@Autowired Stock stock) {
		this.stock = stock;
	}

	@Test
	void onlyOneSellsTheBook(LockTester locks) {
		this.stock.sell("book");
		locks.busy("stock:book");
		this.stock.sell("pen");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.stock.sell("book"));
		assertThat(locks).acquired("stock:book").once().before("stock:pen").refused("stock:book").nothingHeld();
	}

	@SpringBootApplication
	@Import(Stock.class)
	static class Shop {

	}

	@Service
	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "1m")
		public void sell(String sku) {
		}

	}

}
