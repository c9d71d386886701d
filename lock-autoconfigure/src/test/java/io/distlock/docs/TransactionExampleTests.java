package io.distlock.docs;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.autoconfigure.Fleet;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The code of {@code docs/failures.md}. */
class TransactionExampleTests {

	private final Fleet fleet = new Fleet(Application.class);

	private final JdbcTemplate jdbc = this.fleet.get(JdbcTemplate.class);

	@AfterEach
	void close() {
		this.fleet.close();
	}

	private int amount() {
		return this.jdbc.queryForObject("SELECT amount FROM stock WHERE sku = 'book'", Integer.class);
	}

	@Test
	void lockIsOutsideOfTheTransaction() {
		this.fleet.get(StockService.class).deduct("book", 1);
		assertThat(amount()).isEqualTo(9);
		this.fleet.get(Checkout.class).pay("book");
		assertThat(amount()).isEqualTo(8);
	}

	@Test
	void waitEndsWithTheTimeoutOfTheTransaction() {
		try (LockHandle held = this.fleet.other().acquire("stock:book")) {
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> this.fleet.get(Checkout.class).payInTime("book"))
				.withMessageContaining("which is all that was left of the timeout of the open transaction of "
						+ "io.distlock.docs.TransactionExampleTests$Checkout.payInTime")
				.satisfies((busy) -> DocPage.of("startup-messages.md")
					.says(busy.getMessage()
						.replaceFirst("within \\S+,", "within 873ms,")
						.replaceFirst("io.distlock\\S+payInTime; held by .*", "com.shop.Checkout.pay; held by")));
			assertThat(held.isHeld()).isTrue();
		}
		// The waiter that gave up may just have been granted it.
		Awaitility.await().until(() -> !this.fleet.isBusy("stock:book"));
	}

	// tag::service[]
	static class StockService {

		private final JdbcTemplate jdbc;

		StockService(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Transactional
		@DistributedLock(name = "stock", key = "#sku", waitTime = "20s")
		public void deduct(String sku, int count) {
			int amount = this.jdbc.queryForObject("SELECT amount FROM stock WHERE sku = ?", Integer.class, sku);
			this.jdbc.update("UPDATE stock SET amount = ? WHERE sku = ?", amount - count, sku);
		}

	}
	// end::service[]

	static class Checkout {

		private final StockService stock;

		private final TransactionTemplate transaction;

		Checkout(StockService stock, TransactionTemplate transaction) {
			this.stock = stock;
			this.transaction = transaction;
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void pay(String sku) {
			this.transaction.executeWithoutResult((status) -> this.stock.deduct(sku, 1));
		}

		@Transactional(timeout = 1)
		public void payInTime(String sku) {
			this.stock.deduct(sku, 1); // waits for less than a second, not for 20 s
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ H2Transactions.class, StockService.class, Checkout.class })
	static class Application {

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			jdbc.execute("CREATE TABLE stock (sku VARCHAR(10), amount INT)");
			jdbc.update("INSERT INTO stock VALUES ('book', 10)");
			return jdbc;
		}

	}

}
