package io.distlock.sample.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.sample.ShopApplication;
import io.distlock.sample.stock.Shelf;
import io.distlock.sample.stock.SoldOutException;
import io.distlock.sample.stock.StockService;
import io.distlock.sample.stock.UnknownItemException;
import io.distlock.test.Pause;
import io.distlock.test.TestThreads;

/**
 * A node of the shop as a process of its own, whose customers buy until nothing is left.
 * Says {@code open} and begins when there is something to sell; says {@code sold} and how
 * many.
 */
final class SaleProcess {

	private static final int CUSTOMERS = 8;

	private SaleProcess() {
	}

	public static void main(String[] args) throws Exception {
		try (ConfigurableApplicationContext shop = new SpringApplicationBuilder(ShopApplication.class)
			.web(WebApplicationType.NONE)
			.run(args)) {
			System.out.println("open");
			Pause.atMost(Duration.ofMinutes(2), () -> isThere(shop.getBean(Shelf.class)));
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

	private static boolean isThere(Shelf shelf) {
		try {
			return shelf.left("sale") > 0;
		}
		catch (UnknownItemException ex) {
			return false;
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
