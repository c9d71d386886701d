package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whole applications, two of them where one must find the lock of the other. */
class RedisNodesTests {

	private static final RedisServer SERVER = RedisServer.start();

	private static final int THREADS = 8;

	private static final int ROUNDS = 25;

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void methodRunsOnceAtATimeAcrossTwoNodes(String client) {
		Counter counter = new Counter();
		try (ConfigurableApplicationContext left = node("spring.data.redis.client-type=" + client);
				ConfigurableApplicationContext right = node("spring.data.redis.client-type=" + client)) {
			ExecutorService threads = Executors.newFixedThreadPool(THREADS);
			List<CompletableFuture<Void>> ends = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				Stock stock = ((i % 2 == 0) ? left : right).getBean(Stock.class);
				ends.add(CompletableFuture.runAsync(() -> repeat(stock, counter), threads));
			}
			CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
			threads.shutdown();
			assertThat(counter.value).isEqualTo(THREADS * ROUNDS);
			assertThat(counter.most).isEqualTo(1);
			assertThat(TestThreads.isBusy(left.getBean(LockTemplate.class), "stock:hot")).isFalse();
		}
	}

	private static void repeat(Stock stock, Counter counter) {
		for (int i = 0; i < ROUNDS; i++) {
			stock.run("hot", () -> {
				counter.add();
				return null;
			});
		}
	}

	@Test
	void otherNodeIsToldWhoHoldsTheLock() {
		try (ConfigurableApplicationContext left = node("spring.application.name=left", "HOSTNAME=pod-1");
				ConfigurableApplicationContext right = node("distributed-lock.locks.stock.wait-time=0")) {
			left.getBean(Stock.class)
				.run("a",
						() -> assertThatExceptionOfType(LockBusyException.class)
							.isThrownBy(() -> right.getBean(Stock.class).run("a", () -> null))
							.withMessageContaining("left@pod-1")
							.withMessageContaining("RedisNodesTests.Stock.run"));
		}
	}

	@Test
	void closingANodeFreesItsLocksForTheOther() {
		try (ConfigurableApplicationContext right = node()) {
			ConfigurableApplicationContext left = node();
			CompletableFuture<Void> inside = new CompletableFuture<>();
			CompletableFuture<Void> mayEnd = new CompletableFuture<>();
			CompletableFuture<Void> body = CompletableFuture.runAsync(() -> left.getBean(Stock.class).run("d", () -> {
				inside.complete(null);
				return mayEnd.join();
			}), (task) -> new Thread(task).start());
			inside.join();
			CompletableFuture<Void> closed = CompletableFuture.runAsync(left::close,
					(task) -> new Thread(task).start());
			assertThat(TestThreads.isBusy(right.getBean(LockTemplate.class), "stock:d")).isTrue();
			mayEnd.complete(null);
			body.join();
			closed.join();
			assertThat(TestThreads.isBusy(right.getBean(LockTemplate.class), "stock:d")).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void nodeThatWasStoppedForAWhileLocksAgain(String client) {
		try (ConfigurableApplicationContext left = node("spring.data.redis.client-type=" + client);
				ConfigurableApplicationContext right = node()) {
			Lock kept = left.getBean(LockTemplate.class).getLock("kept");
			left.getBean(Stock.class).run("e", () -> null);
			left.stop();
			assertThatExceptionOfType(LockException.class)
				.isThrownBy(() -> left.getBean(Stock.class).run("e", () -> null));
			left.start();
			LockTemplate other = right.getBean(LockTemplate.class);
			assertThat(left.getBean(Stock.class).run("e", () -> TestThreads.isBusy(other, "stock:e"))).isEqualTo(true);
			kept.lock();
			assertThat(TestThreads.isBusy(other, "kept")).isTrue();
			kept.unlock();
			assertThat(TestThreads.isBusy(other, "kept")).isFalse();
		}
	}

	private static ConfigurableApplicationContext node(String... properties) {
		List<String> all = new ArrayList<>(
				List.of("spring.data.redis.host=" + SERVER.host(), "spring.data.redis.port=" + SERVER.port(),
						"distributed-lock.wait-time=" + Duration.ofMinutes(1), "distributed-lock.command-timeout=10s"));
		all.addAll(List.of(properties));
		return LockApplications.start(Shop.class, all.toArray(String[]::new));
	}

	/** Not atomic, so that two at a time would lose counts. */
	private static final class Counter {

		private volatile int value;

		private volatile int inside;

		private volatile int most;

		void add() {
			this.inside = this.inside + 1;
			this.most = Math.max(this.most, this.inside);
			int seen = this.value;
			Thread.yield();
			this.value = seen + 1;
			this.inside = this.inside - 1;
		}

	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#sku")
		public @Nullable Object run(String sku, Supplier<@Nullable Object> body) {
			return body.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

		@Bean
		Stock stock() {
			return new Stock();
		}

	}

}
