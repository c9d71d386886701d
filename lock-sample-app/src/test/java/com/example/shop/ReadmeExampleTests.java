package com.example.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The class that the README shows, in two applications with one Redis and one database.
 */
@Timeout(120)
class ReadmeExampleTests {

	private static ConfigurableApplicationContext one;

	private static ConfigurableApplicationContext two;

	@BeforeAll
	static void start() {
		one = application();
		two = application();
		one.getBean(JdbcClient.class).sql("create table stock (sku varchar(20) primary key, amount int)").update();
	}

	private static ConfigurableApplicationContext application() {
		return new SpringApplicationBuilder(Shop.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1", "--spring.sql.init.mode=never",
					"--spring.datasource.hikari.maximum-pool-size=4", "--distributed-lock.locks.stock.wait-time=60s");
	}

	@AfterAll
	static void stop() {
		two.close();
		one.close();
	}

	@BeforeEach
	void fill() {
		JdbcClient jdbc = one.getBean(JdbcClient.class);
		jdbc.sql("delete from stock").update();
		jdbc.sql("insert into stock (sku, amount) values ('book', 40)").update();
	}

	@Test
	void noSaleIsLost() throws Exception {
		ExecutorService customers = Executors.newFixedThreadPool(8);
		try {
			List<Future<Integer>> sales = new ArrayList<>();
			for (int i = 0; i < 40; i++) {
				StockService stock = ((i % 2 == 0) ? one : two).getBean(StockService.class);
				sales.add(customers.submit(() -> stock.sell("book", 1)));
			}
			for (Future<Integer> sale : sales) {
				assertThat(sale.get(60, TimeUnit.SECONDS)).isBetween(0, 39);
			}
		}
		finally {
			customers.shutdownNow();
		}
		assertThatIllegalArgumentException().isThrownBy(() -> one.getBean(StockService.class).sell("book", 1))
			.withMessage("Only 0 of 'book' are left");
	}

	@Test
	void sellWhenAnotherApplicationHasTheLockThenSaysSo() {
		try (ConfigurableApplicationContext impatient = new SpringApplicationBuilder(Shop.class)
			.web(WebApplicationType.NONE)
			.run("--spring.datasource.url=jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1", "--spring.sql.init.mode=never",
					"--distributed-lock.locks.stock.wait-time=0s");
				LockHandle lock = one.getBean(LockTemplate.class).acquire("stock:book")) {
			StockService stock = impatient.getBean(StockService.class);
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> stock.sell("book", 1))
				.withMessageContaining("held by shop@");
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(StockService.class)
	static class Shop {

	}

}
