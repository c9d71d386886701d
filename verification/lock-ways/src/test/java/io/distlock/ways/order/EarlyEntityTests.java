package io.distlock.ways.order;

import java.util.List;
import java.util.function.Supplier;

import io.distlock.DistributedLock;
import io.distlock.output.DocPage;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Entities that a request has read before a method takes its lock, as with open-in-view.
 */
@SpringBootTest(properties = { "distributed-lock.store=memory", "spring.jpa.hibernate.ddl-auto=create",
		"spring.datasource.generate-unique-name=true" })
@ExtendWith(OutputCaptureExtension.class)
@Tag("ci")
class EarlyEntityTests {

	private static final String WARNING = "its caller has read entities before the lock";

	@Autowired
	private Stock stock;

	@Autowired
	private EntityManagerFactory factory;

	@Autowired
	private TransactionTemplate transaction;

	@Autowired
	private JdbcTemplate jdbc;

	@PersistenceContext
	private EntityManager entities;

	@BeforeEach
	void openInView() {
		this.transaction.executeWithoutResult((status) -> this.entities.persist(new Item("book", 0)));
		TransactionSynchronizationManager.bindResource(this.factory,
				new EntityManagerHolder(this.factory.createEntityManager()));
	}

	@AfterEach
	void closeView() {
		EntityManagerHolder holder = (EntityManagerHolder) TransactionSynchronizationManager
			.unbindResource(this.factory);
		holder.getEntityManager().close();
		this.jdbc.update("delete from item");
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains(WARNING)).toList();
	}

	/** Another instance adds 10 after the read and before the lock. */
	private int amountAfter(Runnable call) {
		this.jdbc.update("update item set amount = amount + 10");
		call.run();
		Integer amount = this.jdbc.queryForObject("select amount from item", Integer.class);
		return (amount != null) ? amount : -1;
	}

	@Test
	void entityReadBeforeTheLockIsStaleAndWarnedOfOnce(CapturedOutput output) {
		this.entities.find(Item.class, "book");
		assertThat(amountAfter(() -> this.stock.addStale("book"))).isEqualTo(1);
		this.stock.addStale("book");
		assertThat(warnings(output)).singleElement().asString().contains("Stock.addStale(String): " + WARNING);
		String warning = warnings(output).get(0);
		DocPage.of("startup-messages.md")
			.says(warning.substring(warning.indexOf("@DistributedLock"))
				.replace("EarlyEntityTests.Stock.addStale(String)", "StockService.deduct(String, int)"));
	}

	@Test
	void entityReadUnderTheLockOnlyIsNotWarnedOf(CapturedOutput output) {
		assertThat(amountAfter(() -> this.stock.add("book"))).isEqualTo(11);
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void entityThatIsRefreshedIsNotStale() {
		this.entities.find(Item.class, "book");
		assertThat(amountAfter(() -> this.stock.addRefreshed("book"))).isEqualTo(11);
	}

	@Test
	void entityReadUnderAnOuterLockIsNotWarnedOf(CapturedOutput output) {
		assertThat(amountAfter(() -> this.stock.under("book", () -> {
			this.entities.find(Item.class, "book");
			this.stock.addNested("book");
			return "";
		}))).isEqualTo(11);
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void openTransactionHasAWarningOfItsOwn(CapturedOutput output) {
		this.transaction.executeWithoutResult((status) -> {
			this.entities.find(Item.class, "book");
			this.stock.addInside("book");
		});
		assertThat(warnings(output)).isEmpty();
		assertThat(output).contains("Stock.addInside(String) was called inside the open transaction");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Stock.class)
	static class App {

	}

	@Transactional
	static class Stock {

		@PersistenceContext
		private EntityManager entities;

		private void addOne(String sku) {
			this.entities.find(Item.class, sku).add(1);
		}

		@DistributedLock(name = "item", key = "#sku")
		void add(String sku) {
			addOne(sku);
		}

		@DistributedLock(name = "item", key = "#sku")
		void addStale(String sku) {
			addOne(sku);
		}

		@DistributedLock(name = "item", key = "#sku")
		void addNested(String sku) {
			addOne(sku);
		}

		@DistributedLock(name = "item", key = "#sku")
		void addInside(String sku) {
			addOne(sku);
		}

		@DistributedLock(name = "item", key = "#sku")
		void addRefreshed(String sku) {
			this.entities.refresh(this.entities.find(Item.class, sku));
			addOne(sku);
		}

		@Transactional(propagation = Propagation.NEVER)
		@DistributedLock(name = "item", key = "#sku")
		String under(String sku, Supplier<String> body) {
			return body.get();
		}

	}

}
