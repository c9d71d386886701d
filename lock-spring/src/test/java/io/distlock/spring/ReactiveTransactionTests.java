package io.distlock.spring;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;

import io.distlock.DistributedLock;
import io.distlock.LockLostException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Locks and reactive transactions, in two applications on a real Redis. */
@ExtendWith(OutputCaptureExtension.class)
class ReactiveTransactionTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Shop shop = FLEET.get(Shop.class);

	private final TransactionalOperator transaction = FLEET.get(TransactionalOperator.class);

	private final ReactiveTransactions transactions = FLEET.get(ReactiveTransactions.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	/** The lease is over, and the body does not look. */
	private static Mono<String> outliveTheLock() {
		return ReactiveLockContext.all().flatMap((locks) -> Mono.fromRunnable(() -> {
			FLEET.outliveLeases();
			assertThat(locks).noneMatch((lock) -> lock.isHeld());
		}));
	}

	@Test
	void ownTransactionCommitsUnderTheLock() {
		this.transactions.watch(() -> FLEET.isBusy("own"));
		assertThat(this.shop.sell("own", () -> Mono.just("sold")).block(SOON)).isEqualTo("sold");
		assertThat(this.transactions.events()).containsExactly("begin locked", "commit locked");
		assertThat(FLEET.isBusy("own")).isFalse();
		assertThat(this.shop.sellMany("own", () -> Flux.just("a", "b")).collectList().block(SOON)).hasSize(2);
		assertThat(FLEET.isBusy("own")).isFalse();
	}

	@Test
	void ownTransactionWhenTheLockWasLostThenRolledBack() {
		this.transactions.watch(() -> false);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.shop.sellBriefly("lost", ReactiveTransactionTests::outliveTheLock).block(SOON));
		assertThat(this.transactions.events()).containsExactly("begin free", "rollback free");
	}

	@Test
	void transactionsThatBeginLaterWhenTheLockWasLostThenRolledBack() {
		this.transactions.watch(() -> false);
		Mono<Long> later = Mono.delay(Duration.ofMillis(1));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop
			.brief("later", () -> later.then(this.shop.note(ReactiveTransactionTests::outliveTheLock)))
			.block(SOON));
		assertThat(this.transactions.events()).containsExactly("begin free", "rollback free");
		this.transactions.events().clear();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(
				() -> this.shop.brief("later", () -> later.then(this.transaction.transactional(outliveTheLock())))
					.block(SOON));
		assertThat(this.transactions.events()).containsExactly("begin free", "rollback free");
		this.transactions.events().clear();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop
			.brief("later", () -> later.thenMany(this.transaction.execute((status) -> outliveTheLock())).next())
			.block(SOON));
		assertThat(this.transactions.events()).containsExactly("begin free", "rollback free");
	}

	@Test
	void transactionAfterTheLockIsNoneOfItsBusiness() {
		this.transactions.watch(() -> false);
		assertThat(this.shop.plain("before", () -> Mono.just("read"))
			.flatMap((read) -> this.transaction.transactional(Mono.just(read)))
			.block(SOON)).isEqualTo("read");
		assertThat(this.transactions.events()).containsExactly("begin free", "commit free");
	}

	@Test
	void outerTransactionReleasesTheLockWhenItIsOver(CapturedOutput output) {
		this.transactions.watch(() -> FLEET.isBusy("outer"));
		Mono<String> twice = this.shop.plain("outer", () -> Mono.just("one"))
			.then(Mono.delay(Duration.ofMillis(1)))
			.then(this.shop.plain("outer", () -> Mono.just("two")))
			.then(Mono.fromSupplier(() -> FLEET.isBusy("outer") ? "still busy" : "free"));
		assertThat(this.transaction.transactional(twice).block(SOON)).isEqualTo("still busy");
		assertThat(this.transactions.events()).containsExactly("begin free", "commit locked");
		assertThat(FLEET.isBusy("outer")).isFalse();
		this.transaction.transactional(twice).block(SOON);
		assertThat(output.toString()
			.split("plain\\(String, Supplier\\) was called inside the open transaction: the lock is released when that "
					+ "transaction ends"))
			.hasSize(2);
	}

	/** A batch of thousands of calls is linear. */
	@Test
	void callInsideAnOuterTransactionDoesNotLookAtItsOtherCallbacks() {
		this.transactions.watch(() -> false);
		Sorted sorted = new Sorted();
		Mono<Integer> calls = TransactionSynchronizationManager.forCurrentTransaction()
			.doOnNext((transaction) -> transaction.registerSynchronization(sorted))
			.then(this.shop.plain("many", () -> Mono.just("one")))
			.then(Mono.fromSupplier(() -> sorted.times))
			.delayUntil((before) -> this.shop.plain("many", () -> Mono.just("two")))
			.delayUntil((before) -> this.shop.plain("many-2", () -> Mono.just("three")))
			.map((before) -> sorted.times - before);
		assertThat(this.transaction.transactional(calls).block(SOON)).isZero();
		assertThat(FLEET.isBusy("many")).isFalse();
		assertThat(FLEET.isBusy("many-2")).isFalse();
	}

	@Test
	void transactionsInsideEachOtherReleaseOnlyTheirOwnLocks() {
		this.transactions.watch(() -> false);
		Mono<String> inner = this.shop.noteAnew(() -> this.shop.plain("inner", () -> Mono.just("")))
			.map((done) -> FLEET.isBusy("inner") + " " + FLEET.isBusy("around"));
		Mono<String> both = this.shop.plain("around", () -> Mono.just(""))
			.then(inner)
			.delayUntil((seen) -> this.shop.plain("around-2", () -> Mono.just("")));
		assertThat(this.transaction.transactional(both).block(SOON)).isEqualTo("false true");
		for (String key : List.of("inner", "around", "around-2")) {
			assertThat(FLEET.isBusy(key)).isFalse();
		}
	}

	/** Counts how often the callbacks of a transaction are put in order. */
	private static final class Sorted implements TransactionSynchronization, Ordered {

		private volatile int times;

		@Override
		public int getOrder() {
			this.times++;
			return 0;
		}

	}

	@Test
	void outerTransactionThatIsRolledBackReleasesTheLockToo() {
		this.transactions.watch(() -> FLEET.isBusy("back"));
		Mono<String> failing = this.shop.plain("back", () -> Mono.just("one"))
			.then(Mono.error(new IllegalArgumentException()));
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.transaction.transactional(failing).block(SOON));
		assertThat(this.transactions.events()).containsExactly("begin free", "rollback locked");
		Awaitility.await().atMost(SOON).until(() -> !FLEET.isBusy("back"));
	}

	@Test
	void outerTransactionWhenTheLockWasLostThenRolledBack() {
		this.transactions.watch(() -> false);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(
				() -> this.transaction
					.transactional(
							this.shop.brief("outer-lost", () -> ReactiveLockContext.current().map((lock) -> lock))
								.flatMap((lock) -> Mono.fromRunnable(FLEET::outliveLeases)))
					.block(SOON));
		assertThat(this.transactions.events()).containsExactly("begin free", "rollback free");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	@Import({ Shop.class, ReactiveTransactions.class })
	static class Application {

		@Bean
		TransactionalOperator operator(ReactiveTransactions transactions) {
			return TransactionalOperator.create(transactions);
		}

	}

	static class Shop {

		@DistributedLock(key = "#key")
		@Transactional
		public Mono<String> sell(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key")
		@Transactional
		public Flux<String> sellMany(String key, Supplier<Flux<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", leaseTime = "20s")
		@Transactional
		public Mono<String> sellBriefly(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public Mono<String> plain(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", leaseTime = "20s")
		public <T> Mono<T> brief(String key, Supplier<Mono<T>> body) {
			return body.get();
		}

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public Mono<String> noteAnew(Supplier<Mono<String>> body) {
			return Mono.defer(body);
		}

		@Transactional
		public Mono<String> note(Supplier<Mono<String>> body) {
			return Mono.defer(body);
		}

	}

}
