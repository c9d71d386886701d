package io.distlock.sample.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.sample.ShopApplication;
import io.distlock.sample.stock.SoldOutException;
import io.distlock.sample.stock.StockService;
import io.distlock.test.TestThreads;

/**
 * A node of the shop as a process of its own, whose customers buy until nothing is left.
 * Says {@code sold} and how many.
 */
final class SaleProcess {

	private static final int CUSTOMERS = 8;

	private SaleProcess() {
	}

	public static void main(String[] args) throws Exception {
		try (ConfigurableApplicationContext shop = new SpringApplicationBuilder(ShopApplication.class)
			.web(WebApplicationType.NONE)
			.run(args)) {
			AtomicInteger sold = new AtomicInteger();
			List<TestThreads.Task<Void>> customers = new ArrayList<>();
			for (int i = 0; i < CUSTOMERS; i++) {
				customers.add(TestThreads.runInThread(() -> buyAll(shop.getBean(StockService.class), sold)));
			}
			for (TestThreads.Task<Void> customer : customers) {
				customer.get();
			}
			System.out.println("sold " + sold);
		}
	}

	static void buyAll(StockService stock, AtomicInteger sold) {
		try {
			while (true) {
				stock.deduct("sale", 1);
				sold.incrementAndGet();
			}
		}
		catch (SoldOutException ex) {
			// The end of the sale.
		}
	}

}
