package io.distlock.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.OnBusy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Methods that read together and end later than they return, in two applications on a
 * real Redis.
 */
class ReaderMethodTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Prices prices = FLEET.get(Prices.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	private static boolean isFree(String key, LockMode mode) {
		LockRequest request = LockRequest.of(key).mode(mode).waitAtMost(Duration.ZERO);
		return CompletableFuture.supplyAsync(() -> FLEET.other().tryAcquire(request).map((lock) -> {
			lock.close();
			return true;
		}).orElse(false), NewThread.EXECUTOR).join();
	}

	@Test
	void readersOfBothApplicationsRunTogether() {
		CountDownLatch together = new CountDownLatch(4);
		List<CompletableFuture<Boolean>> readers = Stream.of(0, 1, 0, 1)
			.map((i) -> FLEET.both(Prices.class).get(i).read("de", () -> Mono.fromCallable(() -> {
				together.countDown();
				return together.await(20, TimeUnit.SECONDS);
			})).toFuture())
			.toList();
		readers.forEach((reader) -> assertThat(reader).succeedsWithin(SOON).isEqualTo(true));
		assertThat(FLEET.isBusy("prices:de")).isFalse();
	}

	@Test
	void writerIsKeptOutWhileTheSubscriptionLasts() {
		assertThat(this.prices
			.read("fr",
					() -> Mono.fromCallable(
							() -> isFree("prices:fr", LockMode.EXCLUSIVE) || !isFree("prices:fr", LockMode.SHARED)))
			.block(SOON)).isFalse();
		assertThat(this.prices.write("fr", () -> Mono.fromCallable(() -> isFree("prices:fr", LockMode.SHARED)))
			.block(SOON)).isFalse();
	}

	@Test
	void writerMayReadAndStaysAlone() {
		assertThat(
				this.prices
					.write("it",
							() -> this.prices.read("it",
									() -> Mono.fromCallable(() -> isFree("prices:it", LockMode.SHARED))))
					.block(SOON))
			.isFalse();
	}

	@Test
	void readerThatWritesIsToldThatItWouldWaitForItself() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.prices.read("es", () -> this.prices.write("es", () -> Mono.just(true))).block(SOON))
			.withMessage(
					"Lock 'prices:es' is held by the calling method in another mode, so the nested call would wait "
							+ "for itself. Take it in the stronger mode on the outer method, or by both in the same");
		assertThat(FLEET.isBusy("prices:es")).isFalse();
	}

	@Test
	void severalAreReadTogether() {
		assertThat(this.prices
			.readAll(List.of("b", "a"),
					() -> Mono.fromCallable(() -> isFree("prices:a", LockMode.SHARED)
							&& isFree("prices:b", LockMode.SHARED) && !isFree("prices:a", LockMode.EXCLUSIVE)))
			.block(SOON)).isTrue();
		assertThat(this.prices.write("b",
				() -> Mono.fromCallable(() -> FLEET.both(Prices.class)
					.get(1)
					.readAll(List.of("a", "b"), () -> Mono.just(true))
					.blockOptional(SOON)
					.isEmpty()))
			.block(SOON)).as("skipped").isTrue();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Prices.class)
	static class Application {

	}

	static class Prices {

		@DistributedLock(name = "prices", key = "#country", mode = LockMode.SHARED, waitTime = "10s")
		public Mono<Boolean> read(String country, Supplier<Mono<Boolean>> body) {
			return body.get();
		}

		@DistributedLock(name = "prices", key = "#country", waitTime = "10s")
		public Mono<Boolean> write(String country, Supplier<Mono<Boolean>> body) {
			return body.get();
		}

		@DistributedLock(name = "prices", key = "#countries", mode = LockMode.SHARED, waitTime = "0",
				onBusy = OnBusy.SKIP)
		public Mono<Boolean> readAll(List<String> countries, Supplier<Mono<Boolean>> body) {
			return body.get();
		}

	}

}
