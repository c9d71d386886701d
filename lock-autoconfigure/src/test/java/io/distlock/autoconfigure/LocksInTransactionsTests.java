package io.distlock.autoconfigure;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;

/** Locks that are taken with a template inside of an open transaction. */
@ExtendWith(OutputCaptureExtension.class)
class LocksInTransactionsTests {

	private static final String WARNING = "is taken with LockTemplate inside the open transaction";

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains(WARNING)).toList();
	}

	private static void run(Consumer<ApplicationContext> test) {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withPropertyValues("distributed-lock.store=memory")
			.withUserConfiguration(Transactions.class)
			.withBean(Stock.class)
			.run(test::accept);
	}

	private static void inTransaction(Consumer<ApplicationContext> test) {
		run((context) -> {
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			transaction.setName("com.shop.Checkout.pay");
			transaction.executeWithoutResult((status) -> test.accept(context));
		});
	}

	static Stream<Arguments> waysToTakeALock() {
		return Stream.of(way("acquire", (locks, key) -> locks.acquire(key).close()),
				way("tryAcquire", (locks, key) -> locks.tryAcquire(key).ifPresent(LockHandle::close)),
				way("acquireAsync", (locks, key) -> locks.acquireAsync(key).toCompletableFuture().join().close()),
				way("execute", (locks, key) -> locks.execute(key, (lock) -> "")),
				way("run", (locks, key) -> locks.run(key, (lock) -> {
				})), way("tryExecute", (locks, key) -> locks.tryExecute(key, (lock) -> "")),
				way("tryRun", (locks, key) -> locks.tryRun(key, (lock) -> {
				})),
				way("executeAsync",
						(locks, key) -> locks.executeAsync(key, (lock) -> CompletableFuture.completedFuture(""))
							.toCompletableFuture()
							.join()),
				way("getLock", (locks, key) -> {
					locks.getLock(key).lock();
					locks.getLock(key).unlock();
				}), way("several", (locks, key) -> locks.acquire(LockRequest.ofAll(List.of(key, key + "b"))).close()));
	}

	private static Arguments way(String name, BiConsumer<LockTemplate, String> taking) {
		return Arguments.of(name, taking);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("waysToTakeALock")
	void lockIsWarnedOfOnceForEachName(String name, BiConsumer<LockTemplate, String> taking, CapturedOutput output) {
		inTransaction((context) -> {
			LockTemplate locks = context.getBean(LockTemplate.class);
			taking.accept(locks, "stock:1");
			taking.accept(locks, "stock:2");
			assertThat(warnings(output)).hasSize(1);
			taking.accept(locks, "order:1");
			assertThat(warnings(output)).hasSize(2);
		});
		DocPage.of("troubleshooting.md").says("`Lock '…' " + WARNING);
		assertThat(warnings(output).get(0)).contains("Lock 'stock:1' " + WARNING + " of com.shop.Checkout.pay.");
	}

	@Test
	void lockBeforeTheTransactionIsNotWarnedOf(CapturedOutput output) {
		run((context) -> {
			LockTemplate locks = context.getBean(LockTemplate.class);
			locks.run("stock:1",
					(outer) -> context.getBean(TransactionTemplate.class)
						.executeWithoutResult(
								(status) -> locks.run("stock:1", (nested) -> assertThat(nested.isHeld()).isTrue())));
		});
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void annotatedMethodIsNotWarnedOf(CapturedOutput output) {
		inTransaction((context) -> {
			Stock stock = context.getBean(Stock.class);
			stock.deduct("1");
			stock.deduct("1");
			stock.transfer("2", "3");
			stock.deductLater("4").join();
			stock.deductReactively("5").block();
			// Its lock is held until the commit.
			context.getBean(LockTemplate.class).run("stock:1", (lock) -> assertThat(lock.isHeld()).isTrue());
		});
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void warningsHaveAnEndWhateverTheKeysAre(CapturedOutput output) {
		inTransaction((context) -> {
			LockTemplate locks = context.getBean(LockTemplate.class);
			for (int i = 0; i < 300; i++) {
				locks.run(Integer.toString(i), (lock) -> {
				});
			}
			assertThat(warnings(output)).hasSize(1);
			for (int i = 0; i < 300; i++) {
				locks.run(i + ":1", (lock) -> {
				});
			}
		});
		assertThat(warnings(output)).hasSizeBetween(50, 200);
	}

	@Configuration(proxyBeanMethods = false)
	static class Transactions {

		@Bean
		DataSourceTransactionManager transactionManager() {
			return new DataSourceTransactionManager(
					new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build());
		}

		@Bean
		TransactionTemplate transactionTemplate(DataSourceTransactionManager manager) {
			return new TransactionTemplate(manager);
		}

	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

		@DistributedLock(name = "stock", keys = { "#from", "#to" })
		public void transfer(String from, String to) {
		}

		@DistributedLock(name = "stock", key = "#sku")
		public CompletableFuture<String> deductLater(String sku) {
			return CompletableFuture.completedFuture("");
		}

		@DistributedLock(name = "stock", key = "#sku")
		public Mono<String> deductReactively(String sku) {
			return Mono.just("");
		}

	}

}
