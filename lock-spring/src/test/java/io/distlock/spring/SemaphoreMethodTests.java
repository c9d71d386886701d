package io.distlock.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import ch.qos.logback.classic.Level;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.reactive.TransactionalOperator;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.OnBusy;
import io.distlock.output.LogLines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Semaphores of methods that end later than they return, in two applications on a real
 * Redis.
 */
class SemaphoreMethodTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Api api = FLEET.get(Api.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	private static boolean isFree(String key, int permits) {
		return CompletableFuture.supplyAsync(() -> FLEET.other()
			.tryAcquire(LockRequest.of(key).permits(permits).waitAtMost(Duration.ZERO))
			.map((permit) -> {
				permit.close();
				return true;
			})
			.orElse(false), NewThread.EXECUTOR).join();
	}

	@Test
	void eachSubscriptionTakesAPermit() {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		List<String> all = Flux.range(0, 40).flatMap((i) -> FLEET.both(Api.class).get(i % 2).patient("sub", () -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			return Mono.delay(Duration.ofMillis(2)).map((tick) -> "done " + running.decrementAndGet());
		}), 40).collectList().block(Duration.ofSeconds(60));
		assertThat(all).hasSize(40);
		assertThat(most.get()).isBetween(1, 2);
	}

	@Test
	void nestedSubscriptionTakesAPermitOfItsOwn() {
		assertThat(
				this.api.mono("nested", () -> this.api.mono("nested", () -> Mono.just("free " + isFree("nested", 2))))
					.block(SOON))
			.isEqualTo("free false");
		assertThatExceptionOfType(
				LockBusyException.class)
			.isThrownBy(() -> this.api
				.mono("nested", () -> this.api.mono("nested", () -> this.api.mono("nested", () -> Mono.just("third"))))
				.block(SOON));
		Awaitility.await().atMost(SOON).until(() -> isFree("nested", 1));
	}

	@Test
	void parallelNestedSubscriptionsAreLimitedToo() {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		this.api.patient("parallel", () -> Flux.range(0, 6).flatMap((i) -> this.api.patient("parallel", () -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			return Mono.delay(Duration.ofMillis(5)).map((tick) -> "done " + running.decrementAndGet());
		})).last()).block(SOON);
		assertThat(most).as("one of two permits is the outer method's").hasValue(1);
	}

	@Test
	void nestedStagesTakeAPermitEachAlsoOfAThreadThatHasOne() {
		assertThat(this.api.stage("stages",
				() -> this.api.stage("stages", () -> CompletableFuture.completedFuture("free " + isFree("stages", 2)))))
			.succeedsWithin(SOON)
			.isEqualTo("free false");
		assertThat(this.api.blocking("stages",
				() -> this.api.stage("stages", () -> CompletableFuture.completedFuture("free " + isFree("stages", 2)))
					.join()))
			.isEqualTo("free false");
		Awaitility.await().atMost(SOON).until(() -> isFree("stages", 1));
	}

	@Test
	void asynchronousMethodHoldsItsPermitUntilItsStageEnds() {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> first = this.api.async("async", work);
		CompletableFuture<String> second = this.api.async("async", work);
		Awaitility.await().atMost(SOON).until(() -> !isFree("async", 2));
		assertThat(this.api.async("async", work)).failsWithin(SOON)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockBusyException.class);
		work.complete("done");
		assertThat(first).succeedsWithin(SOON).isEqualTo("done");
		assertThat(second).succeedsWithin(SOON).isEqualTo("done");
		assertThat(isFree("async", 1)).isTrue();
	}

	@Test
	void cancelledSubscriptionGivesItsPermitBack() {
		List<Disposable> running = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			running.add(this.api.mono("cancel", Mono::never).subscribe());
		}
		Awaitility.await().atMost(SOON).until(() -> !isFree("cancel", 2));
		Disposable waiting = this.api.patient("cancel", Mono::never).subscribe();
		waiting.dispose();
		running.get(0).dispose();
		Awaitility.await().atMost(SOON).until(() -> isFree("cancel", 2));
		running.get(1).dispose();
		Awaitility.await().atMost(SOON).until(() -> isFree("cancel", 1));
	}

	@Test
	void severalKeysTakeAPermitEach() {
		assertThat(this.api.several(List.of("k2", "k1"), () -> isFree("k1", 1) + " " + isFree("k2", 1)))
			.isEqualTo("false false");
		try (LockHandle other = FLEET.other().acquire(LockRequest.of("k2").permits(1))) {
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> this.api.several(List.of("k2", "k1"), () -> "ran"))
				.satisfies((ex) -> assertThat(ex.key()).isEqualTo(other.key()));
		}
		assertThat(isFree("k1", 1)).isTrue();
	}

	@Test
	void openTransactionKeepsAllPermitsUntilItIsOver() {
		Mono<Boolean> twice = this.api.mono("tx", () -> Mono.just("one"))
			.then(this.api.mono("tx", () -> Mono.just("two")))
			.then(Mono.fromSupplier(() -> isFree("tx", 2)));
		assertThat(FLEET.get(TransactionalOperator.class).transactional(twice).block(SOON)).isFalse();
		assertThat(isFree("tx", 1)).isTrue();
	}

	@Test
	void lockOfTheSameKeyInsideIsToldThatItWouldWaitForItself() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.api.mono("mixed", () -> this.api.lock("mixed")).block(SOON))
			.withMessageContaining("Lock 'mixed' is held by the calling method in another mode");
	}

	@Test
	void skipIsLoggedAsThatOfASemaphore() {
		LogLines log = LogLines.of("io.distlock.spring", Level.DEBUG);
		try (log; LockHandle other = FLEET.other().acquire(LockRequest.of("one").permits(1))) {
			assertThat(this.api.skipped()).isNull();
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(log.messages(Level.DEBUG)).anySatisfy((line) -> assertThat(line)
			.startsWith("@DistributedSemaphore on SemaphoreMethodTests.Api.skipped(): the call is skipped. "));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	@Import({ Api.class, ReactiveTransactions.class })
	static class Application {

		@Bean
		TransactionalOperator operator(ReactiveTransactions transactions) {
			return TransactionalOperator.create(transactions);
		}

	}

	static class Api {

		@DistributedSemaphore(key = "#key", permits = "2", waitTime = "0")
		public Mono<String> mono(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedSemaphore(key = "#key", permits = "2", waitTime = "60s")
		public Mono<String> patient(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedSemaphore(key = "#key", permits = "2", waitTime = "0")
		public CompletableFuture<String> stage(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedSemaphore(key = "#key", permits = "2", waitTime = "0")
		public String blocking(String key, Supplier<String> body) {
			return body.get();
		}

		@Async
		@DistributedSemaphore(key = "#key", permits = "2", waitTime = "0")
		public CompletableFuture<String> async(String key, CompletableFuture<String> body) {
			return body;
		}

		@DistributedSemaphore(key = "#keys", permits = "1", waitTime = "0")
		public String several(List<String> keys, Supplier<String> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public Mono<String> lock(String key) {
			return Mono.just("ran");
		}

		@DistributedSemaphore(name = "one", permits = "1", waitTime = "0", onBusy = OnBusy.SKIP)
		public String skipped() {
			return "ran";
		}

	}

}
