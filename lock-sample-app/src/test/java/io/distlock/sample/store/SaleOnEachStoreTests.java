package io.distlock.sample.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.sample.ShopApplication;
import io.distlock.sample.stock.Shelf;
import io.distlock.sample.stock.StockService;
import io.distlock.spi.LockStore;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

/** The shop keeps its locks where one property says, and sells each item once. */
class SaleOnEachStoreTests {

	/** As many as show a mistake; {@link SaleByProcessesTests} sells 5,000. */
	private static final int ITEMS = 1_000;

	private static final int CUSTOMERS_OF_A_NODE = 8;

	@ParameterizedTest
	@CsvSource({ "redis, RedisLockStore", "jdbc, JdbcLockStore", "zookeeper, ZooKeeperLockStore" })
	void twoNodesSellEachItemOnce(String store, String type) throws Exception {
		try (ConfigurableApplicationContext first = node(store); ConfigurableApplicationContext second = node(store)) {
			assertThat(first.getBean(LockStore.class).getClass().getSimpleName()).isEqualTo(type);
			assertThat(sell(ITEMS, first, second)).isEqualTo(ITEMS);
			assertThat(first.getBean(Shelf.class).left("sale")).isZero();
		}
	}

	/**
	 * Each node has a memory of its own, so the test sees what a wrong store would do.
	 */
	@Test
	void twoNodesThatShareNoStoreSellTooMany() throws Exception {
		try (ConfigurableApplicationContext first = node("memory");
				ConfigurableApplicationContext second = node("memory")) {
			assertThat(sell(200, first, second)).isGreaterThan(200);
		}
	}

	private static int sell(int items, ConfigurableApplicationContext... nodes) throws Exception {
		nodes[0].getBean(Shelf.class).put("sale", items);
		AtomicInteger sold = new AtomicInteger();
		List<TestThreads.Task<Void>> customers = new ArrayList<>();
		for (ConfigurableApplicationContext node : nodes) {
			StockService stock = node.getBean(StockService.class);
			for (int i = 0; i < CUSTOMERS_OF_A_NODE; i++) {
				customers.add(TestThreads.runInThread(() -> SaleProcess.buyAll(stock, sold)));
			}
		}
		for (TestThreads.Task<Void> customer : customers) {
			customer.get();
		}
		return sold.get();
	}

	private static ConfigurableApplicationContext node(String store) {
		return new SpringApplicationBuilder(ShopApplication.class).web(WebApplicationType.NONE)
			.run("--distributed-lock.store=" + store, "--distributed-lock.locks.stock.wait-time=2m",
					"--distributed-lock.command-timeout=9s", "--shop.nodes=0");
	}

}
