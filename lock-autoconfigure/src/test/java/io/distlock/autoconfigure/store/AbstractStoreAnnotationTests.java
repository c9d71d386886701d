package io.distlock.autoconfigure.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockTemplate;
import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the annotation promises on every store: two applications that share one. Each
 * store extends it.
 */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractStoreAnnotationTests {

	private static final Duration SOON = Duration.ofSeconds(30);

	private ConfigurableApplicationContext one;

	private ConfigurableApplicationContext two;

	private Shop shop;

	private Shop other;

	/** Starts one more application on the store. */
	abstract ConfigurableApplicationContext start();

	/** Stops what keeps the locks, if anything has to be stopped. */
	void stopServer() throws Exception {
	}

	/** What an operator does who deletes all locks, or a failure that loses them. */
	abstract void loseLocks() throws Exception;

	@BeforeAll
	void startApplications() {
		this.one = start();
		this.two = start();
		this.shop = this.one.getBean(Shop.class);
		this.other = this.two.getBean(Shop.class);
	}

	@AfterAll
	void closeApplications() throws Exception {
		this.two.close();
		this.one.close();
		stopServer();
	}

	private boolean isBusyForOther(String key) {
		return TestThreads.isBusy(this.two.getBean(LockTemplate.class), key);
	}

	private static <T> CompletableFuture<T> inThread(Supplier<T> body) {
		return CompletableFuture.supplyAsync(body, (task) -> new Thread(task).start());
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(SOON.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void assertRefused(String key, Supplier<String> body) {
		assertThat(inThread(body)).failsWithin(SOON)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(LockBusyException.class)
			.withMessageContaining(key);
	}

	@Test
	@DisplayName("A method runs alone in all applications, and is refused or waits meanwhile")
	void exclusive() {
		assertThat(this.shop.alone("book", () -> {
			assertRefused("shop:book", () -> this.other.atOnce("book", () -> "ran"));
			return isBusyForOther("shop:book") && !isBusyForOther("shop:pen");
		})).isTrue();
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<String> first = inThread(() -> this.shop.alone("pen", () -> {
			begun.countDown();
			await(end);
			return "first";
		}));
		await(begun);
		CompletableFuture<String> second = inThread(() -> this.other.alone("pen", () -> "second"));
		Awaitility.await().during(Duration.ofMillis(100)).until(() -> !second.isDone());
		end.countDown();
		assertThat(first).succeedsWithin(SOON).isEqualTo("first");
		assertThat(second).succeedsWithin(SOON).isEqualTo("second");
		assertThat(isBusyForOther("shop:pen")).isFalse();
	}

	@Test
	@DisplayName("A nested call of the same method and key does not wait for itself")
	void reentrant() {
		assertThat(this.shop.alone("book", () -> this.shop.alone("book", () -> isBusyForOther("shop:book")))).isTrue();
		assertThat(isBusyForOther("shop:book")).isFalse();
	}

	@Test
	@DisplayName("Several keys are held together, or none of them")
	void severalKeys() {
		assertThat(this.shop.all(List.of("b", "a"), () -> isBusyForOther("shop:a") && isBusyForOther("shop:b")))
			.isTrue();
		this.other.alone("b", () -> {
			assertRefused("shop:b", () -> this.shop.all(List.of("a", "b"), () -> "ran"));
			return "held";
		});
		assertThat(isBusyForOther("shop:a") || isBusyForOther("shop:b")).isFalse();
	}

	@Test
	@DisplayName("Readers of all applications run together, writers alone")
	void readers() {
		CountDownLatch together = new CountDownLatch(2);
		Supplier<Boolean> body = () -> {
			together.countDown();
			return await(together) && isBusyForOther("shop:price");
		};
		CompletableFuture<Boolean> one = inThread(() -> this.shop.read("price", body));
		CompletableFuture<Boolean> two = inThread(() -> this.other.read("price", body));
		assertThat(one).succeedsWithin(SOON).isEqualTo(true);
		assertThat(two).succeedsWithin(SOON).isEqualTo(true);
		assertThat(isBusyForOther("shop:price")).isFalse();
	}

	@Test
	@DisplayName("As many run as there are permits")
	void permits() {
		Gate gate = this.one.getBean(Gate.class);
		Gate far = this.two.getBean(Gate.class);
		assertThat(gate.limited("gate", () -> inThread(() -> far.limited("gate", () -> {
			assertRefused("gate", () -> far.limited("gate", () -> "third"));
			return "second";
		})).join())).isEqualTo("second");
		assertThat(far.limited("gate", () -> "again")).isEqualTo("again");
	}

	@Test
	@DisplayName("A minimum hold keeps the lock after the method has returned")
	void minimumHold() {
		long begun = System.nanoTime();
		this.shop.job();
		boolean busy = isBusyForOther("job");
		// A machine under load may be late.
		assertThat(busy || System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(3)).isTrue();
		Awaitility.await().atMost(SOON).until(() -> !isBusyForOther("job"));
	}

	@Test
	@DisplayName("Methods that return later hold the lock until they are done")
	void asynchronous() {
		CompletableFuture<String> result = new CompletableFuture<>();
		CompletableFuture<String> stage = this.shop.stage("book", () -> result);
		Awaitility.await().atMost(SOON).until(() -> isBusyForOther("shop:book"));
		result.complete("done");
		assertThat(stage).succeedsWithin(SOON).isEqualTo("done");
		Awaitility.await().atMost(SOON).until(() -> !isBusyForOther("shop:book"));
		assertThat(this.shop.mono("book", () -> Mono.fromCallable(() -> isBusyForOther("shop:book"))).block(SOON))
			.isTrue();
		Awaitility.await().atMost(SOON).until(() -> !isBusyForOther("shop:book"));
	}

	@Test
	@DisplayName("Fencing tokens increase from holder to holder, in all applications")
	void fencing() {
		long highest = 0;
		for (int i = 0; i < 6; i++) {
			long token = ((i % 2 == 0) ? this.shop : this.other).alone("token",
					() -> LockContext.current().orElseThrow().fencingToken());
			assertThat(token).isGreaterThan(highest);
			highest = token;
		}
	}

	@Test
	@DisplayName("A method whose lock is lost learns so, and its caller gets the exception")
	void lostLock() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.alone("lost", () -> {
			try {
				loseLocks();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			Awaitility.await()
				.atMost(SOON)
				.pollInSameThread()
				.until(() -> !LockContext.current().orElseThrow().isHeld());
			return "in vain";
		})).withMessageContaining("shop:lost");
		assertThat(this.other.alone("lost", () -> "next")).isEqualTo("next");
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Shop.class, Gate.class })
	static class Application {

	}

	/** A bean of its own: a store without permits refuses it at startup. */
	static class Gate {

		@DistributedSemaphore(name = "gate", key = "#key", permits = "2", waitTime = "0")
		public <T> T limited(String key, Supplier<T> body) {
			return body.get();
		}

	}

	static class Shop {

		@DistributedLock(name = "shop", key = "#key", waitTime = "30s")
		public <T> T alone(String key, Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "shop", key = "#key", waitTime = "0")
		public <T> T atOnce(String key, Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "shop", key = "#keys", waitTime = "0")
		public <T> T all(List<String> keys, Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "shop", key = "#key", mode = LockMode.SHARED, waitTime = "30s")
		public <T> T read(String key, Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "job", waitTime = "0", minHold = "3s")
		public void job() {
		}

		@DistributedLock(name = "shop", key = "#key", waitTime = "30s")
		public CompletableFuture<String> stage(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(name = "shop", key = "#key", waitTime = "30s")
		public <T> Mono<T> mono(String key, Supplier<Mono<T>> body) {
			return body.get();
		}

	}

}
