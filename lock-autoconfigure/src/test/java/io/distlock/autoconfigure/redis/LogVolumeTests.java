package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import ch.qos.logback.classic.spi.ILoggingEvent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.output.LogLines;
import io.distlock.test.Pause;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many lines a bad night fills, of the library and of the client under it. What fails
 * reaches the caller as an exception, so nothing is to be logged for each call. For
 * longer: {@code -Doutage.seconds=30}.
 */
@Isolated // counts lines
@Tag("ci")
class LogVolumeTests {

	private static final int BUSY = 1_000;

	private static final int SECONDS = Integer.getInteger("outage.seconds", 1);

	private static final int PER_SECOND = 10;

	/** Of the library, from a begin to an end. */
	private static final int OWN = 10;

	private LogLines log;

	@Test
	void busyCalls() {
		// Redis always answers, though not at once where the machine does much else.
		try (RedisServer server = RedisServer.start(); ConfigurableApplicationContext shop = shop(server, "10s")) {
			try (LockHandle ignored = shop.getBean(LockTemplate.class).acquire("stock:busy")) {
				CompletableFuture<Integer> refused = CompletableFuture.supplyAsync(() -> {
					capture();
					int count = 0;
					for (int i = 0; i < BUSY; i++) {
						count += (call(shop, "busy") instanceof LockBusyException) ? 1 : 0;
					}
					return count;
				});
				assertThat(refused.join()).isEqualTo(BUSY);
			}
			check("busy", BUSY);
		}
	}

	@Test
	void aServerThatHangs() {
		try (RedisServer server = RedisServer.start(); ConfigurableApplicationContext shop = shop(server, "500ms")) {
			capture();
			server.pause();
			int failed = callFor(shop);
			server.resume();
			awaitWorking(shop);
			assertThat(failed).isPositive();
			check("hanging", failed);
		}
	}

	@Test
	void aServerThatIsDown() {
		try (RedisServer server = RedisServer.start(); ConfigurableApplicationContext shop = shop(server, "500ms")) {
			capture();
			server.kill();
			int failed = callFor(shop);
			server.restart();
			awaitWorking(shop);
			assertThat(failed).isPositive();
			check("down", failed);
		}
	}

	private static ConfigurableApplicationContext shop(RedisServer server, String commandTimeout) {
		ConfigurableApplicationContext shop = LockApplications.start(Shop.class,
				"spring.data.redis.host=" + server.host(), "spring.data.redis.port=" + server.port(),
				"distributed-lock.command-timeout=" + commandTimeout);
		awaitWorking(shop);
		return shop;
	}

	private static void awaitWorking(ConfigurableApplicationContext shop) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> call(shop, "first") == null);
	}

	/** Ten calls a second, each on a thread of its own, and how many of them failed. */
	private static int callFor(ConfigurableApplicationContext shop) {
		List<CompletableFuture<LockException>> calls = new ArrayList<>();
		for (int i = 0; i < SECONDS * PER_SECOND; i++) {
			String sku = "outage" + i;
			CompletableFuture<LockException> call = new CompletableFuture<>();
			new Thread(() -> call.complete(call(shop, sku))).start();
			calls.add(call);
			Pause.of(Duration.ofMillis(1000 / PER_SECOND)); // the load that is to be had
		}
		return (int) calls.stream().map(CompletableFuture::join).filter((failure) -> failure != null).count();
	}

	private static LockException call(ConfigurableApplicationContext shop, String sku) {
		try {
			shop.getBean(Stock.class).sell(sku);
			return null;
		}
		catch (LockException ex) {
			return ex;
		}
	}

	private void capture() {
		this.log = LogLines.of(Logger.ROOT_LOGGER_NAME);
	}

	private void check(String name, int calls) {
		this.log.close();
		List<ILoggingEvent> all = this.log.events();
		List<ILoggingEvent> own = all.stream()
			.filter((line) -> line.getLoggerName().startsWith("io.distlock"))
			.toList();
		LoggerFactory.getLogger(LogVolumeTests.class)
			.info("{}: {} failed calls, {} lines of the library, {} in all", name, calls, own.size(), all.size());
		assertThat(own).hasSizeLessThanOrEqualTo(OWN);
		assertThat(all).hasSizeLessThanOrEqualTo(calls + OWN);
		assertThat(own).as("the sentence says it all").allMatch((line) -> line.getThrowableProxy() == null);
	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

		@Bean
		Stock stock() {
			return new Stock();
		}

	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "0s")
		void sell(String sku) {
			assertThat(sku).isNotEmpty();
		}

	}

}
