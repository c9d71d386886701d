package io.distlock.docs;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import io.distlock.DistributedLock;
import io.distlock.LockHandle;
import io.distlock.autoconfigure.Fleet;
import io.distlock.spring.ReactiveLockContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The examples of {@code docs/annotation.md}. */
class ReturnTypesExampleTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	@Test
	void stageAndMono() {
		StockService stock = FLEET.get(StockService.class);
		assertThat(stock.deduct("book", 1).orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("book: 1");
		assertThat(stock.deductLater("book", 1).block(Duration.ofSeconds(20))).startsWith("book: 1, token 1");
		assertThat(FLEET.isBusy("stock:book")).isFalse();
	}

	@Test
	void async() {
		assertThat(FLEET.get(Reports.class).build("monthly").orTimeout(20, TimeUnit.SECONDS).join())
			.isEqualTo("monthly");
	}

	@Test
	void cancel() {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> result = FLEET.get(Uploads.class).store("file", work).toCompletableFuture();
		result.cancel(true);
		assertThat(work).isNotDone();
		work.complete("stored");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	@Import({ StockService.class, Reports.class, Uploads.class })
	static class Application {

	}

	static class Warehouse {

		CompletableFuture<String> send(String sku, int quantity) {
			return CompletableFuture.supplyAsync(() -> sku + ": " + quantity);
		}

	}

	static class StockService {

		private final Warehouse warehouse = new Warehouse();

		// tag::methods[]
		@DistributedLock(name = "stock", key = "#sku", waitTime = "3s")
		public CompletableFuture<String> deduct(String sku, int quantity) {
			return this.warehouse.send(sku, quantity);
		}

		@DistributedLock(name = "stock", key = "#sku", waitTime = "3s")
		public Mono<String> deductLater(String sku, int quantity) {
			return Mono.fromFuture(() -> this.warehouse.send(sku, quantity))
				.zipWith(ReactiveLockContext.current().map(LockHandle::fencingToken))
				.map((sent) -> sent.getT1() + ", token " + sent.getT2());
		}
		// end::methods[]

	}

	static class Reports {

		@Async
		@DistributedLock(name = "report", key = "#month")
		public CompletableFuture<String> build(String month) {
			return CompletableFuture.completedFuture(month);
		}

	}

	static class Uploads {

		// tag::cancel[]
		@DistributedLock(name = "upload", key = "#file")
		public CompletionStage<String> store(String file, CompletableFuture<String> upload) {
			return upload.minimalCompletionStage();
		}
		// end::cancel[]

	}

}
