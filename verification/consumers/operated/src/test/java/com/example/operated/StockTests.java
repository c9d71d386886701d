package com.example.operated;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.distlock.DistributedLock;
import io.distlock.OnBusy;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** Operators see health, meters and locks. Spring calls jobs and asynchronous methods. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=health,metrics,locks",
				"management.endpoint.health.show-details=always", "management.endpoint.locks.access=unrestricted" })
class StockTests {

	private static final RedisServer REDIS = RedisServer.start();

	private final HttpClient client = HttpClient.newHttpClient();

	private final Stock stock;

	private final Environment environment;

	private final JdbcTemplate database;

	StockTests(@Autowired Stock stock, @Autowired Environment environment, @Autowired JdbcTemplate database) {
		this.stock = stock;
		this.environment = environment;
		this.database = database;
	}

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry properties) {
		properties.add("spring.data.redis.port", REDIS::port);
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

	@Test
	void healthMetersAndLocksAreShown() throws Exception {
		this.stock.sell("pen", () -> {
		});
		assertThat(ask("GET", "/actuator/health")).contains("\"locks\":{").contains("UP");
		assertThat(ask("GET", "/actuator/metrics")).contains("\"lock.acquire\"");
		assertThat(ask("GET", "/actuator/locks")).contains("Stock.sell");
	}

	@Test
	void aLockIsReleasedByForce() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Void> sale = CompletableFuture.runAsync(() -> this.stock.sell("book", () -> {
			begun.countDown();
			await(end);
		}));
		begun.await();
		assertThat(ask("POST", "/sell")).contains("409");
		assertThat(ask("GET", "/actuator/locks?prefix=stock")).contains("stock:book");
		assertThat(ask("DELETE", "/actuator/locks?key=stock:book&reason=test")).contains("200");
		assertThat(ask("POST", "/sell")).contains("200");
		end.countDown();
		assertThat(sale.handle((result, failure) -> failure).join()).isNotNull();
	}

	@Test
	void transactionsAsyncAndJobsRunUnderTheLock() {
		this.database.execute("CREATE TABLE IF NOT EXISTS sold (sku VARCHAR(10))");
		this.stock.sellInTransaction("lamp");
		assertThat(this.database.queryForObject("SELECT count(*) FROM sold", Integer.class)).isEqualTo(1);
		assertThat(this.stock.sellLater("desk").join()).isEqualTo("desk");
		await(this.stock.job());
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String ask(String method, String path) throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + this.environment.getProperty("local.server.port") + path);
		HttpRequest request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
		HttpResponse<String> answer = this.client.send(request, HttpResponse.BodyHandlers.ofString());
		return answer.statusCode() + " " + answer.body();
	}

	@SpringBootApplication
	@EnableAsync
	@EnableScheduling
	@Import({ Stock.class, Counter.class })
	static class Shop {

	}

	@RestController
	static class Counter {

		private final Stock stock;

		Counter(Stock stock) {
			this.stock = stock;
		}

		@PostMapping("/sell")
		String sell() {
			this.stock.sell("book", () -> {
			});
			return "sold";
		}

	}

	@Service
	static class Stock {

		private final CountDownLatch job = new CountDownLatch(1);

		private final JdbcTemplate database;

		Stock(JdbcTemplate database) {
			this.database = database;
		}

		@DistributedLock(name = "stock", key = "#sku", waitTime = "100ms")
		public void sell(String sku, Runnable sale) {
			sale.run();
		}

		@DistributedLock(name = "stock", key = "#sku", waitTime = "1m30s")
		@Transactional
		public void sellInTransaction(String sku) {
			this.database.update("INSERT INTO sold VALUES (?)", sku);
		}

		@DistributedLock(name = "stock", key = "#sku")
		@Async
		public CompletableFuture<String> sellLater(String sku) {
			return CompletableFuture.completedFuture(sku);
		}

		public CountDownLatch job() {
			return this.job;
		}

		@DistributedLock(name = "count", onBusy = OnBusy.SKIP)
		@Scheduled(fixedDelay = 1000)
		public void count() {
			this.job.countDown();
		}

	}

}
