package io.distlock.docs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockExpiringException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockTemplate;
import io.distlock.OnLost;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.spring.event.LockLostEvent;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The code of {@code docs/failures.md}, with locks that a real Redis forgets. */
class LostLocksExampleTests {

	private static final RedisServer REDIS = RedisServer.start();

	private static final ConfigurableApplicationContext SHOP = LockApplications.start(Application.class,
			"spring.data.redis.port=" + REDIS.port(), "distributed-lock.lease-time=9s",
			"distributed-lock.command-timeout=3s");

	private final JdbcTemplate jdbc = SHOP.getBean(JdbcTemplate.class);

	@AfterAll
	static void close() {
		SHOP.close();
		REDIS.close();
	}

	@BeforeEach
	void fill() {
		this.jdbc.update("DELETE FROM stock");
		this.jdbc.update("INSERT INTO stock VALUES ('book', 10)");
		SHOP.getBean(Alarm.class).pager.sent.clear();
	}

	private int amount() {
		return this.jdbc.queryForObject("SELECT amount FROM stock", Integer.class);
	}

	@Test
	void transactionIsRolledBack() throws Exception {
		StockService stock = SHOP.getBean(StockService.class);
		stock.deduct("book", 1);
		assertThat(amount()).isEqualTo(9);
		stock.audit(() -> lose(LockContext.current().orElseThrow()));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> stock.deduct("book", 1));
		assertThat(amount()).isEqualTo(9);
		// Beside it, an event of the test before may come late.
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(SHOP.getBean(Alarm.class).pager.sent)
				.anyMatch((text) -> text.startsWith("Lock 'stock:book' was lost")));
	}

	@Test
	void transactionOfATemplateIsRolledBack() {
		LockTemplate locks = SHOP.getBean(LockTemplate.class);
		TransactionTemplate transactions = SHOP.getBean(TransactionTemplate.class);
		List<Integer> rows = List.of(8);
		locks.run("report", (lock) -> transactions.executeWithoutResult((status) -> write(rows)));
		assertThat(amount()).isEqualTo(8);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> locks.run("report", (lock) -> transactions.executeWithoutResult((status) -> {
				write(List.of(1));
				lose(lock);
			})));
		assertThat(amount()).isEqualTo(8);
	}

	private void write(List<Integer> rows) {
		this.jdbc.update("UPDATE stock SET amount = ?", rows.get(0));
	}

	@Test
	void lookingBeforeAStep() {
		SHOP.getBean(LockTemplate.class).run("report", (held) -> {
			// tag::look[]
			LockHandle lock = LockContext.current().orElseThrow();
			lock.ensureHeld(); // LockLostException
			lock.ensureHeld(Duration.ofMillis(500)); // or LockExpiringException
			// end::look[]
			assertThatExceptionOfType(LockExpiringException.class)
				.isThrownBy(() -> lock.ensureHeld(Duration.ofSeconds(10)));
		});
	}

	@Test
	void methodIsInterrupted() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> SHOP.getBean(Report.class).write())
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	/** Redis forgets all locks; the renewal is answered with no. */
	private static void lose(LockHandle lock) {
		CountDownLatch lost = new CountDownLatch(1);
		lock.onLost((handle) -> lost.countDown());
		forget();
		try {
			assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void forget() {
		try (RedisConnection connection = SHOP.getBean(RedisConnectionFactory.class).getConnection()) {
			connection.serverCommands().flushAll();
		}
	}

	static class StockService {

		private final JdbcTemplate jdbc;

		private Runnable audit = () -> {
		};

		StockService(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		public void audit(Runnable audit) {
			this.audit = audit;
		}

		@Transactional
		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku, int count) {
			this.jdbc.update("UPDATE stock SET amount = amount - ? WHERE sku = ?", count, sku);
			this.audit.run(); // if the lock is lost meanwhile: rolled back
		}

	}

	static class Report {

		// tag::interrupt[]
		@DistributedLock(name = "report", onLost = OnLost.INTERRUPT)
		public void write() throws InterruptedException {
			waitForRows();
		}
		// end::interrupt[]

		private static void waitForRows() throws InterruptedException {
			forget();
			new CountDownLatch(1).await();
		}

	}

	static class Alarm {

		private final Pager pager = new Pager();

		// tag::event[]
		@EventListener
		void on(LockLostEvent event) {
			this.pager.send(event.loss().describe());
		}
		// end::event[]

	}

	static class Pager {

		private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

		void send(String text) {
			this.sent.add(text);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ H2Transactions.class, StockService.class, Report.class, Alarm.class })
	static class Application {

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			jdbc.execute("CREATE TABLE stock (sku VARCHAR(10), amount INT)");
			return jdbc;
		}

	}

}
