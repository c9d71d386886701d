package io.distlock.spring.reactive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.spring.LockedApplication;
import io.distlock.spring.ReactiveLockContext;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReactiveLockTemplateTests {

	private static final Duration SOON = TestThreads.LIMIT;

	private static final LockedApplication APPLICATION = LockedApplication.of(Jobs.class);

	private final ReactiveLockTemplate locks = new ReactiveLockTemplate(APPLICATION.lock());

	private final Jobs jobs = APPLICATION.get(Jobs.class);

	private final AtomicInteger calls = new AtomicInteger();

	@AfterAll
	static void close() {
		APPLICATION.close();
	}

	private static LockRequest brief(String key) {
		return LockRequest.of(key).leaseFor(Duration.ofSeconds(20));
	}

	private static void awaitFree(String key) {
		Awaitility.await().atMost(SOON).until(() -> !APPLICATION.isBusy(key));
	}

	private Mono<String> call() {
		return Mono.fromSupplier(() -> "call " + this.calls.incrementAndGet());
	}

	@Test
	void eachSubscriptionTakesTheLockAnew() {
		Mono<Long> token = this.locks.mono("anew", (lock) -> Mono.just(lock.fencingToken()));
		assertThat(APPLICATION.isBusy("anew")).isFalse();
		Long first = token.block(SOON);
		assertThat(token.block(SOON)).isGreaterThan(first);
		assertThat(token.repeat(4).collectList().block(SOON)).hasSize(5).doesNotHaveDuplicates();
		assertThat(APPLICATION.isBusy("anew")).isFalse();
	}

	@Test
	void twoSubscribersOfOneMonoExcludeEachOther() {
		AtomicInteger inside = new AtomicInteger();
		Mono<Integer> alone = this.locks.mono("alone",
				(lock) -> Mono.fromSupplier(inside::incrementAndGet)
					.delayElement(Duration.ofMillis(1))
					.doOnNext((most) -> inside.decrementAndGet()));
		List<Integer> most = Flux.range(0, 20).flatMap((i) -> alone, 20).collectList().block(SOON);
		assertThat(most).hasSize(20).containsOnly(1);
	}

	@Test
	void releasedWhenEmptyFailedThrownOrNull() {
		assertThat(this.locks.mono("ends", (lock) -> Mono.empty()).block(SOON)).isNull();
		assertThat(this.locks.flux("ends", (lock) -> Flux.empty()).collectList().block(SOON)).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(
				() -> this.locks.mono("ends", (lock) -> Mono.error(new IllegalArgumentException())).block(SOON));
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.mono("ends", (lock) -> {
			throw new IllegalArgumentException();
		}).block(SOON));
		assertThatIllegalStateException().isThrownBy(() -> this.locks.mono("ends", (lock) -> null).block(SOON))
			.withMessage("The body under lock 'ends' returned null instead of a publisher. "
					+ "Return an empty one if there is nothing to do");
		assertThat(APPLICATION.isBusy("ends")).isFalse();
	}

	/** Reactor throws such errors to its caller instead of a signal. */
	@Test
	void releasedAfterAnErrorThatIsNoSignal() {
		this.locks.mono("fatal", (lock) -> Mono.just("value").map((value) -> {
			this.calls.incrementAndGet();
			throw new NoClassDefFoundError(value);
		})).subscribe();
		Awaitility.await().atMost(SOON).until(() -> this.calls.get() == 1);
		awaitFree("fatal");
	}

	@Test
	void busyIsASignal() {
		try (LockHandle other = APPLICATION.other().acquire("busy")) {
			LockRequest once = LockRequest.of("busy").waitAtMost(Duration.ZERO);
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> this.locks.mono(once, (lock) -> call()).block(SOON))
				.satisfies((busy) -> assertThat(busy.holder()).isPresent());
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> this.locks.flux(once, (lock) -> call()).blockLast(SOON));
			assertThat(this.locks.tryMono("busy", (lock) -> call()).block(SOON)).isNull();
			assertThat(this.locks.tryMono(once.waitAtMost(Duration.ofMillis(20)), (lock) -> call()).block(SOON))
				.isNull();
			assertThat(this.calls).hasValue(0);
		}
		assertThat(this.locks.tryMono("busy", (lock) -> call()).block(SOON)).isEqualTo("call 1");
	}

	/** As {@code tryExecute} does with a body that returns {@code null}. */
	@Test
	void bodyOfATryMustNotLookBusy() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.locks.tryMono("try", (lock) -> call().then()).block(SOON))
			.withMessageStartingWith("The body under lock 'try' completed empty, which would look like a busy lock.");
		assertThat(this.calls).hasValue(1);
		assertThat(APPLICATION.isBusy("try")).isFalse();
	}

	@Test
	void busyLockInsideOfTheBodyIsNoBusyLock() {
		try (LockHandle other = APPLICATION.other().acquire("inner")) {
			LockRequest once = LockRequest.of("inner").waitAtMost(Duration.ZERO);
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(
					() -> this.locks.tryMono("outer", (lock) -> this.locks.mono(once, (inner) -> call())).block(SOON))
				.satisfies((busy) -> assertThat(busy.key()).isEqualTo("inner"));
		}
	}

	@Test
	void retryTakesTheLockAgain() {
		LockHandle other = APPLICATION.other().acquire("retried");
		LockRequest once = LockRequest.of("retried").waitAtMost(Duration.ZERO);
		assertThat(this.locks.mono(once, (lock) -> call())
			.doOnError(LockBusyException.class, (busy) -> other.close())
			.retryWhen(Retry.max(3).filter(LockBusyException.class::isInstance))
			.block(SOON)).isEqualTo("call 1");
	}

	@Test
	void timeoutReleases() {
		assertThatThrownBy(
				() -> this.locks.mono("timeout", (lock) -> Mono.never()).timeout(Duration.ofMillis(50)).block(SOON))
			.hasRootCauseInstanceOf(java.util.concurrent.TimeoutException.class);
		awaitFree("timeout");
	}

	@Test
	void cancelledInsideOfTheBodyOrBesideItThenNothingIsHeld() {
		assertThat(this.locks.flux("take", (lock) -> Flux.range(0, 1000).hide()).take(2).collectList().block(SOON))
			.containsExactly(0, 1);
		awaitFree("take");
		assertThat(this.locks.flux("take", (lock) -> Flux.never()).take(0).collectList().block(SOON)).isEmpty();
		AtomicReference<Subscription> outer = new AtomicReference<>();
		this.locks.mono("take", (lock) -> {
			outer.get().cancel();
			this.calls.incrementAndGet();
			return Mono.never();
		}).doOnSubscribe(outer::set).subscribe();
		Awaitility.await().atMost(SOON).until(() -> this.calls.get() == 1);
		awaitFree("take");
	}

	@Test
	void bodyIsCancelledOnce() {
		AtomicInteger cancelled = new AtomicInteger();
		AtomicBoolean busy = new AtomicBoolean();
		this.locks.flux("once", (lock) -> Flux.just(1).concatWith(Flux.never()).doOnCancel(() -> {
			busy.set(APPLICATION.isBusy("once"));
			cancelled.incrementAndGet();
		})).take(1).blockLast(SOON);
		awaitFree("once");
		assertThat(busy).isTrue();
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void storeFailureIsASignal() {
		try (LockedApplication failing = LockedApplication.of()) {
			failing.store().injectAll(FaultyLockStore.Fault.REFUSE);
			ReactiveLockTemplate template = new ReactiveLockTemplate(failing.lock());
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> template.tryMono("store", (lock) -> call()).block(SOON));
		}
	}

	@Test
	void lossIsReportedAtTheEnd() {
		CompletableFuture<String> result = this.locks.mono(brief("lost"), (lock) -> lost(lock).thenReturn("too late"))
			.toFuture();
		assertThat(result).failsWithin(SOON).withThrowableThat().havingCause().isInstanceOf(LockLostException.class);
		assertThat(this.locks.flux(brief("lost"), (lock) -> Flux.just("a").concatWith(lost(lock).thenReturn("b")))
			.onErrorResume(LockLostException.class, (loss) -> Flux.just("lost"))
			.collectList()
			.block(SOON)).containsExactly("a", "b", "lost");
	}

	/** The strategy drops elements that fail. The loss is no such element. */
	@Test
	void lossIsNotSkippedByOnErrorContinue() {
		List<Object> skipped = new ArrayList<>();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.locks
			.flux(brief("continued"), (lock) -> Flux.just(1, 0).map((i) -> 1 / i).concatWith(lost(lock).thenReturn(2)))
			.onErrorContinue((failure, value) -> skipped.add(value))
			.blockLast(SOON));
		assertThat(skipped).containsExactly(0);
	}

	private static Mono<Void> lost(LockHandle lock) {
		return Mono.create((sink) -> {
			lock.onLost((lost) -> sink.success());
			APPLICATION.outliveLeases();
		});
	}

	@Test
	void lockTravelsWithTheSubscription() {
		assertThat(this.locks.mono("context", (lock) -> {
			assertThat(LockContext.current()).contains(lock);
			return Mono.delay(Duration.ofMillis(1))
				.then(ReactiveLockContext.ensureHeld())
				.then(ReactiveLockContext.current())
				.map((current) -> current == lock);
		}).block(SOON)).isTrue();
	}

	@Test
	void nestedBodiesShareTheLock() {
		Supplier<Mono<String>> inner = () -> this.locks.tryMono("nested", (lock) -> call());
		assertThat(this.locks.mono("nested", (lock) -> Mono.delay(Duration.ofMillis(1)).then(inner.get())).block(SOON))
			.isEqualTo("call 1");
		assertThat(this.jobs.one("nested", inner).block(SOON)).isEqualTo("call 2");
		assertThat(this.locks.mono("nested", (lock) -> this.jobs.once("nested", this::call)).block(SOON))
			.isEqualTo("call 3");
		assertThat(APPLICATION.isBusy("nested")).isFalse();
	}

	@Test
	void threadThatHoldsTheLockIsTold() {
		APPLICATION.lock()
			.run("thread", (held) -> assertThatIllegalStateException()
				.isThrownBy(() -> this.locks.mono("thread", (lock) -> call()).block(SOON))
				.withMessageStartingWith("The body under lock 'thread': lock 'thread' is held by the calling thread"));
		assertThat(this.calls).hasValue(0);
	}

	@Test
	void severalKeysReadersAndPermits() {
		LockRequest both = LockRequest.ofAll(List.of("b", "a"));
		assertThat(
				this.locks
					.mono(both,
							(lock) -> this.locks.mono("a", (inner) -> call())
								.zipWith(ReactiveLockContext.all().map(List::size))
								.map((result) -> result.getT1() + " of " + result.getT2() + ", busy "
										+ APPLICATION.isBusy("b")))
					.block(SOON))
			.isEqualTo("call 1 of 2, busy true");
		assertThat(APPLICATION.isBusy("a") || APPLICATION.isBusy("b")).isFalse();
		try (LockHandle reader = APPLICATION.other().acquire(LockRequest.of("read").mode(LockMode.SHARED));
				LockHandle permit = APPLICATION.other().acquire(LockRequest.permit("permit", 2))) {
			assertThat(this.locks.mono(LockRequest.of("read").mode(LockMode.SHARED), (lock) -> call()).block(SOON))
				.isEqualTo("call 2");
			assertThat(this.locks.mono(LockRequest.permit("permit", 2), (lock) -> call()).block(SOON))
				.isEqualTo("call 3");
		}
	}

	static class Jobs {

		@DistributedLock(key = "#key")
		public <T> Mono<T> one(String key, Supplier<Mono<T>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public <T> Mono<T> once(String key, Supplier<Mono<T>> body) {
			return body.get();
		}

	}

}
