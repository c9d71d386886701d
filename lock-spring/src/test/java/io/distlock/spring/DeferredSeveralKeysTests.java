package io.distlock.spring;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.reactive.TransactionalOperator;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.OnBusy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Methods with several locks that end later than they return, in two applications on a
 * real Redis.
 */
class DeferredSeveralKeysTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Bank bank = FLEET.get(Bank.class);

	private final Sinks.One<String> work = Sinks.one();

	private final AtomicBoolean called = new AtomicBoolean();

	@AfterAll
	static void close() {
		FLEET.close();
	}

	private Mono<String> work() {
		return Mono.defer(() -> {
			this.called.set(true);
			return this.work.asMono();
		});
	}

	private static void awaitFree(String... keys) {
		for (String key : keys) {
			Awaitility.await().atMost(SOON).until(() -> !FLEET.isBusy(key));
		}
	}

	private static <T> T get(CompletableFuture<T> future) {
		return future.orTimeout(20, TimeUnit.SECONDS).join();
	}

	private static Mono<List<String>> locks() {
		return ReactiveLockContext.current()
			.zipWith(ReactiveLockContext.all())
			.map((both) -> List.of(both.getT1().key(), keys(both.getT1().parts()), keys(both.getT2())));
	}

	private static String keys(List<LockHandle> locks) {
		return String.join("+", locks.stream().map(LockHandle::key).toList());
	}

	@Test
	void monoHoldsAllUntilItCompletesAndReleasesAllBeforeTheResult() {
		CompletableFuture<String> result = this.bank.mono(List.of("m2", "m1", "m2"), this::work).toFuture();
		Awaitility.await().atMost(SOON).untilTrue(this.called);
		assertThat(FLEET.isBusy("m1")).isTrue();
		assertThat(FLEET.isBusy("m2")).isTrue();
		this.work.tryEmitValue("done");
		assertThat(get(result)).isEqualTo("done");
		assertThat(FLEET.isBusy("m1")).isFalse();
		assertThat(FLEET.isBusy("m2")).isFalse();
	}

	@Test
	void singleLocksAreThePartsOfTheCurrentOne() {
		assertThat(this.bank.mono(List.of("p2", "p1"), () -> locks().map(String::valueOf)).block(SOON))
			.isEqualTo("[p1, p2, p1+p2, p1+p2]");
		assertThat(get(this.bank.stage(List.of("p2", "p1"), () -> {
			LockHandle current = LockContext.current().orElseThrow();
			assertThat(current.parts()).allMatch((part) -> part.fencingToken() > 0);
			assertThatIllegalStateException().isThrownBy(current::fencingToken);
			return CompletableFuture.completedFuture(keys(current.parts()) + " " + keys(LockContext.all()));
		}))).isEqualTo("p1+p2 p1+p2");
	}

	@Test
	void nestedCallForOneOfThemSharesIt() {
		assertThat(
				this.bank.mono(List.of("n1", "n2"), () -> this.bank.once("n2", () -> Mono.just("inner"))).block(SOON))
			.isEqualTo("inner");
		assertThat(get(this.bank.stage(List.of("n1", "n2"), () -> this.bank.stageOnce("n2")))).isEqualTo("ran");
		assertThat(get(this.bank.stage(List.of("n1", "n2"),
				() -> CompletableFuture.completedFuture(this.bank.blockingOnce("n1")))))
			.isEqualTo("ran");
		awaitFree("n1", "n2");
	}

	@Test
	void nestedCallForAllOfThemSharesThem() {
		assertThat(this.bank
			.mono(List.of("s1", "s2", "s3"), () -> this.bank.monoOnce(List.of("s3", "s1"), () -> Mono.just("inner")))
			.block(SOON)).isEqualTo("inner");
		awaitFree("s1", "s2", "s3");
	}

	@Test
	void nestedCallThatOutlivesTheOuterOneKeepsItsOwnLockOnly() {
		CompletableFuture<String> inner = new CompletableFuture<>();
		assertThat(this.bank.mono(List.of("o1", "o2"), () -> {
			this.bank.once("o2", this::work).subscribe(inner::complete);
			return Mono.just("outer");
		}).block(SOON)).isEqualTo("outer");
		assertThat(FLEET.isBusy("o1")).isFalse();
		assertThat(FLEET.isBusy("o2")).isTrue();
		this.work.tryEmitValue("inner");
		assertThat(get(inner)).isEqualTo("inner");
		awaitFree("o2");
	}

	@Test
	void nestedCallForMoreThanIsHeldIsToldAtOnce() {
		String text = "Lock 'w1' of 'w1, w2' is held already, by the calling method or its transaction, so a call for "
				+ "all of them would wait for itself. Take all of them on the outermost method";
		assertThatIllegalStateException()
			.isThrownBy(() -> this.bank.once("w1", () -> this.bank.mono(List.of("w1", "w2"), Mono::empty)).block(SOON))
			.withMessage(text);
		assertThat(this.bank.stage(List.of("w1"),
				() -> this.bank.stage(List.of("w2", "w1"), () -> CompletableFuture.completedFuture("inner"))))
			.failsWithin(SOON)
			.withThrowableThat()
			.havingRootCause()
			.withMessage(text);
		awaitFree("w1", "w2");
	}

	@Test
	void threadThatHoldsOneOfThemIsTold() {
		assertThatIllegalStateException()
			.isThrownBy(
					() -> this.bank.blocking("t1", () -> this.bank.mono(List.of("t1", "t2"), Mono::empty).block(SOON)))
			.withMessageContaining("is held by the calling thread");
	}

	@Test
	void oneThatIsBusyIsTheFailureAndNothingIsHeld() {
		try (LockHandle other = FLEET.other().acquire("b2")) {
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> this.bank.monoOnce(List.of("b1", "b2", "b3"), this::work).block(SOON))
				.satisfies((ex) -> assertThat(ex.key()).isEqualTo(other.key()));
			assertThat(FLEET.isBusy("b1")).isFalse();
			assertThat(this.bank.skipped(List.of("b3", "b2", "b1")).blockOptional(SOON)).isEmpty();
			assertThat(this.bank.skippedMany(List.of("b3", "b2", "b1")).collectList().block(SOON)).isEmpty();
			assertThat(get(this.bank.skippedStage(List.of("b3", "b2", "b1")))).isEmpty();
			assertThat(get(this.bank.skippedAsync(List.of("b3", "b2", "b1")))).isEqualTo(-1);
			assertThat(this.bank.replaced("b1", "b2").block(SOON)).isEqualTo("b2 is busy");
		}
		assertThat(this.called).isFalse();
		awaitFree("b1", "b3");
		assertThat(this.bank.skipped(List.of("b3", "b2", "b1")).block(SOON)).isEqualTo("ran");
	}

	@Test
	void cancelledWhileWaitingForTheSecondThenTheFirstIsReleased() {
		LockHandle other = FLEET.other().acquire("c2");
		Disposable waiting = this.bank.mono(List.of("c1", "c2"), this::work).subscribe();
		Awaitility.await().atMost(SOON).until(() -> FLEET.isBusy("c1"));
		waiting.dispose();
		awaitFree("c1");
		other.close();
		awaitFree("c2");
		assertThat(this.called).isFalse();
	}

	@Test
	void cancelledWhileHoldingThenAllAreReleased() {
		Disposable running = this.bank.mono(List.of("h1", "h2"), this::work).subscribe();
		Awaitility.await().atMost(SOON).untilTrue(this.called);
		running.dispose();
		awaitFree("h1", "h2");
	}

	@Test
	void openTransactionHoldsAllOfThemUntilItIsOver() {
		TransactionalOperator transaction = FLEET.get(TransactionalOperator.class);
		Mono<Boolean> both = this.bank.monoOnce(List.of("x2", "x1"), () -> Mono.just("one"))
			.then(this.bank.once("x2", () -> Mono.just("two")))
			.then(this.bank.monoOnce(List.of("x1", "x2"), () -> Mono.just("three")))
			.then(Mono.fromSupplier(() -> FLEET.isBusy("x1") && FLEET.isBusy("x2")));
		assertThat(transaction.transactional(both).block(SOON)).isTrue();
		assertThat(FLEET.isBusy("x1")).isFalse();
		assertThat(FLEET.isBusy("x2")).isFalse();
		assertThatIllegalStateException()
			.isThrownBy(() -> transaction.transactional(this.bank.once("x2", () -> Mono.just("one"))
				.then(this.bank.monoOnce(List.of("x1", "x2"), () -> Mono.just("two")))).block(SOON))
			.withMessageStartingWith("Lock 'x2' of 'x1, x2' is held already, by the calling method or its transaction");
		awaitFree("x1", "x2");
	}

	@Test
	void noKeyAtAllIsTheFailure() {
		assertThatExceptionOfType(LockKeyException.class)
			.isThrownBy(() -> this.bank.mono(List.of(), this::work).block(SOON))
			.withMessageEndingWith("key '#numbers' evaluated to an empty java.util.ImmutableCollections$ListN; "
					+ "nothing would be locked");
		assertThat(this.bank.stage(List.of(), () -> CompletableFuture.completedFuture("ran"))).failsWithin(SOON)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockKeyException.class);
	}

	@Test
	void eachStaysTakenForItsMinimumAfterTheResult() {
		assertThat(this.bank.brieflyRun(List.of("min2", "min1")).block(SOON)).isEqualTo("ran");
		assertThat(FLEET.isBusy("min1")).isTrue();
		assertThat(FLEET.isBusy("min2")).isTrue();
		assertThat(this.bank.brieflyRun(List.of("min2")).blockOptional(SOON)).as("skipped").isEmpty();
		assertThat(get(this.bank.brieflyRunStage("min3"))).isEqualTo("ran");
		assertThat(FLEET.isBusy("min3")).isTrue();
		assertThat(get(this.bank.brieflyRunStage("min3"))).isNull();
	}

	@Test
	void whatWasTakenBeforeTheBusyOneIsFreeAtOnceWhateverTheMinimum() {
		try (LockHandle other = FLEET.other().acquire("min5")) {
			assertThat(this.bank.brieflyRun(List.of("min5", "min4")).blockOptional(SOON)).isEmpty();
			assertThat(other.isHeld()).isTrue();
			assertThat(FLEET.isBusy("min4")).isFalse();
		}
	}

	@Test
	void lossIsReportedAtTheEnd() {
		CompletableFuture<String> result = this.bank.brief(List.of("l1", "l2"), this::work).toFuture();
		Awaitility.await().atMost(SOON).untilTrue(this.called);
		FLEET.outliveLeases();
		this.work.tryEmitValue("too late");
		assertThat(result).failsWithin(SOON).withThrowableThat().havingCause().isInstanceOf(LockLostException.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	@Import({ Bank.class, ReactiveTransactions.class })
	static class Application {

		@Bean
		TransactionalOperator operator(ReactiveTransactions transactions) {
			return TransactionalOperator.create(transactions);
		}

	}

	static class Bank {

		@DistributedLock(key = "#numbers", waitTime = "10s")
		public Mono<String> mono(List<String> numbers, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#numbers", waitTime = "0")
		public Mono<String> monoOnce(List<String> numbers, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#numbers", leaseTime = "20s")
		public Mono<String> brief(List<String> numbers, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#number", waitTime = "0")
		public Mono<String> once(String number, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#numbers", waitTime = "10s")
		public CompletableFuture<String> stage(List<String> numbers, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#numbers", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "60s")
		public Mono<String> brieflyRun(List<String> numbers) {
			return Mono.just("ran");
		}

		@DistributedLock(key = "#number", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "60s")
		public CompletableFuture<String> brieflyRunStage(String number) {
			return CompletableFuture.completedFuture("ran");
		}

		@DistributedLock(key = "#number", waitTime = "0")
		public CompletableFuture<String> stageOnce(String number) {
			return CompletableFuture.completedFuture("ran");
		}

		@DistributedLock(key = "#number", waitTime = "0")
		public String blockingOnce(String number) {
			return "ran";
		}

		@DistributedLock(key = "#number", waitTime = "10s")
		public String blocking(String number, Supplier<String> body) {
			return body.get();
		}

		@DistributedLock(key = "#numbers", waitTime = "0", onBusy = OnBusy.SKIP)
		public Mono<String> skipped(List<String> numbers) {
			return Mono.just("ran");
		}

		@DistributedLock(key = "#numbers", waitTime = "0", onBusy = OnBusy.SKIP)
		public Flux<String> skippedMany(List<String> numbers) {
			return Flux.just("ran");
		}

		@DistributedLock(key = "#numbers", waitTime = "0", onBusy = OnBusy.SKIP)
		public CompletableFuture<Optional<String>> skippedStage(List<String> numbers) {
			return CompletableFuture.completedFuture(Optional.of("ran"));
		}

		@Async
		@DistributedLock(key = "#numbers", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "-1")
		public CompletableFuture<Integer> skippedAsync(List<String> numbers) {
			return CompletableFuture.completedFuture(1);
		}

		@DistributedLock(keys = { "#from", "#to" }, waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "later")
		public Mono<String> replaced(String from, String to) {
			return Mono.just("ran");
		}

		private Mono<String> later(String from, String to, LockBusyException busy) {
			return Mono.just(busy.key() + " is busy");
		}

	}

}
