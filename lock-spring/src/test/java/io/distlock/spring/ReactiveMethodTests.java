package io.distlock.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.Supplier;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.OnLost;
import io.distlock.test.Pause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Methods that return a reactive type, in two applications on a real Redis. */
class ReactiveMethodTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Jobs jobs = FLEET.get(Jobs.class);

	private final Sinks.One<String> work = Sinks.one();

	private final Sinks.Many<String> stream = Sinks.many().unicast().onBackpressureBuffer();

	private final AtomicBoolean called = new AtomicBoolean();

	private final AtomicBoolean stopped = new AtomicBoolean();

	@AfterAll
	static void close() {
		FLEET.close();
	}

	private Mono<String> work() {
		return Mono.defer(() -> {
			this.called.set(true);
			return this.work.asMono();
		}).doOnCancel(() -> this.stopped.set(true));
	}

	private Flux<String> stream() {
		return Flux.defer(() -> {
			this.called.set(true);
			return this.stream.asFlux();
		}).doOnCancel(() -> this.stopped.set(true));
	}

	private void awaitCall() {
		Awaitility.await().atMost(SOON).untilTrue(this.called);
	}

	private static void awaitFree(String key) {
		Awaitility.await().atMost(SOON).until(() -> !FLEET.isBusy(key));
	}

	@Test
	void nothingHappensWithoutASubscription() {
		AtomicInteger calls = new AtomicInteger();
		Mono<String> mono = this.jobs.one("cold", () -> Mono.just("call " + calls.incrementAndGet()));
		assertThat(FLEET.isBusy("cold")).isFalse();
		assertThat(calls).hasValue(0);
		assertThat(mono.block(SOON)).isEqualTo("call 1");
		assertThat(mono.block(SOON)).isEqualTo("call 2");
	}

	@Test
	void heldUntilTheMonoCompletesAndReleasedBeforeTheResult() {
		CompletableFuture<String> result = this.jobs.one("one", this::work).toFuture();
		awaitCall();
		assertThat(FLEET.isBusy("one")).isTrue();
		this.work.tryEmitValue("done");
		assertThat(result.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("done");
		assertThat(FLEET.isBusy("one")).isFalse();
	}

	@Test
	void heldUntilTheFluxCompletesAndReleasedBeforeItsEnd() {
		CompletableFuture<List<String>> result = this.jobs.many("many", this::stream).collectList().toFuture();
		awaitCall();
		this.stream.tryEmitNext("a");
		this.stream.tryEmitNext("b");
		assertThat(FLEET.isBusy("many")).isTrue();
		this.stream.tryEmitComplete();
		assertThat(result.orTimeout(20, TimeUnit.SECONDS).join()).containsExactly("a", "b");
		assertThat(FLEET.isBusy("many")).isFalse();
	}

	@Test
	void demandOfTheSubscriberReachesTheBody() {
		AtomicInteger sent = new AtomicInteger();
		assertThat(this.jobs
			.many("demand", () -> Flux.range(0, 1000).doOnNext((i) -> sent.incrementAndGet()).map(String::valueOf))
			.limitRate(2)
			.take(2)
			.collectList()
			.block(SOON)).containsExactly("0", "1");
		assertThat(sent.get()).isLessThan(5);
		awaitFree("demand");
	}

	@Test
	void releasedWhenEmptyFailedThrownOrNull() {
		assertThat(this.jobs.one("ends", Mono::empty).block(SOON)).isNull();
		assertThat(FLEET.isBusy("ends")).isFalse();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.jobs.one("ends", () -> Mono.error(new IllegalArgumentException())).block(SOON));
		assertThat(FLEET.isBusy("ends")).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.many("ends", () -> {
			throw new IllegalArgumentException();
		}).blockLast(SOON));
		assertThat(FLEET.isBusy("ends")).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.one("ends", () -> null).block(SOON))
			.withMessage("@DistributedLock on ReactiveMethodTests.Jobs.one(String, Supplier): it returned null instead "
					+ "of a Mono. Return an empty one if there is nothing to do");
		assertThat(FLEET.isBusy("ends")).isFalse();
	}

	@Test
	void busyIsASignalAndNobodyWaitsOnTheCaller() {
		LockHandle other = FLEET.other().acquire("busy");
		assertThatExceptionOfType(LockBusyException.class)
			.isThrownBy(() -> this.jobs.once("busy", this::work).block(SOON));
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.jobs.once(" ", this::work).block(SOON));
		CompletableFuture<String> waiting = this.jobs.one("busy", this::work).toFuture();
		assertThat(this.called).isFalse();
		other.close();
		this.work.tryEmitValue("at last");
		assertThat(waiting.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("at last");
	}

	@Test
	void cancelledWhileWaitingThenNeverCalledAndNothingHeld() {
		LockHandle other = FLEET.other().acquire("cancelled");
		Disposable one = this.jobs.one("cancelled", this::work).subscribe();
		Disposable many = this.jobs.many("cancelled", this::stream).subscribe();
		one.dispose();
		many.dispose();
		other.close();
		assertThat(this.jobs.one("cancelled", () -> Mono.just("next")).block(SOON)).isEqualTo("next");
		awaitFree("cancelled");
		assertThat(this.called).isFalse();
	}

	@Test
	void oneMoreThanMayWaitIsRefusedAtOnceUntilTheWaitingOneHasGone() {
		LockHandle other = FLEET.other().acquire("crowd");
		Disposable waiting = this.jobs.alone("crowd", this::work).subscribe();
		assertThatExceptionOfType(LockBusyException.class)
			.isThrownBy(() -> this.jobs.alone("crowd", this::work).block(SOON));
		waiting.dispose();
		CompletableFuture<String> next = this.jobs.alone("crowd", () -> Mono.just("next")).toFuture();
		other.close();
		assertThat(next.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("next");
	}

	@Test
	void cancelledAtAnyMomentThenNothingIsHeld() {
		for (int i = 0; i < 100; i++) {
			Disposable one = this.jobs.one("moment", this::work).subscribe();
			Disposable many = this.jobs.many("moment", Flux::never).subscribe();
			Pause.nanos(i * 20_000L);
			one.dispose();
			many.dispose();
		}
		awaitFree("moment");
	}

	@Test
	void cancelledWhileRunningThenTheBodyIsToldFirst() {
		AtomicBoolean busy = new AtomicBoolean();
		Disposable running = this.jobs
			.many("running", () -> stream().doOnCancel(() -> busy.set(FLEET.isBusy("running"))))
			.subscribe();
		awaitCall();
		running.dispose();
		assertThat(busy).isTrue();
		assertThat(this.stopped).isTrue();
		awaitFree("running");
	}

	@Test
	void cancelledWhileTheBodyIsBeingCalledThenHeldUntilThatIsDone() {
		CompletableFuture<String> calling = new CompletableFuture<>();
		Disposable running = this.jobs.one("calling", () -> {
			this.called.set(true);
			calling.join();
			return Mono.never();
		}).subscribe();
		awaitCall();
		running.dispose();
		assertThat(FLEET.isBusy("calling")).isTrue();
		calling.complete("done");
		awaitFree("calling");
	}

	@Test
	void lossIsReportedAtTheEnd() {
		CompletableFuture<String> result = this.jobs.brief("lost", this::work).toFuture();
		awaitCall();
		FLEET.outliveLeases();
		assertThat(result).isNotDone();
		this.work.tryEmitValue("too late");
		assertThat(result).failsWithin(SOON)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(LockLostException.class, (loss) -> assertThat(loss.getSuppressed()).isEmpty());
		assertThat(this.stopped).isFalse();
	}

	@Test
	void lossIsSuppressedOntoTheFailureOfTheBody() {
		CompletableFuture<String> result = this.jobs.brief("lost-too", this::work).toFuture();
		awaitCall();
		FLEET.outliveLeases();
		IllegalArgumentException failure = new IllegalArgumentException();
		this.work.tryEmitError(failure);
		assertThat(result).failsWithin(SOON).withThrowableThat().havingCause().isSameAs(failure);
		assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
	}

	private void assertLostAtOnce(Mono<String> job) {
		this.called.set(false);
		this.stopped.set(false);
		CompletableFuture<String> result = job.toFuture();
		awaitCall();
		FLEET.outliveLeases();
		assertThat(result).failsWithin(SOON).withThrowableThat().havingCause().isInstanceOf(LockLostException.class);
		assertThat(this.stopped).isTrue();
	}

	@Test
	void lossCancelsTheBodyThatWantsIt() {
		assertLostAtOnce(this.jobs.interrupted("lost-at-once", this::work));
		assertLostAtOnce(this.jobs.interruptedMany("lost-at-once", this::stream).last());
	}

	@Test
	void lockTravelsWithTheSubscription() {
		AtomicReference<LockHandle> called = new AtomicReference<>();
		String token = this.jobs.fenced("context", 0, (value) -> {
			called.set(LockContext.current().orElseThrow());
			return Mono.delay(Duration.ofMillis(1))
				.then(ReactiveLockContext.ensureHeld())
				.then(ReactiveLockContext.current())
				.map((lock) -> value + "=" + lock.fencingToken() + " of " + lock.key());
		}).block(SOON);
		assertThat(token).isEqualTo("%1$d=%1$d of context", called.get().fencingToken());
		assertThat(ReactiveLockContext.current().block(SOON)).isNull();
		ReactiveLockContext.ensureHeld().block(SOON);
	}

	@Test
	void nestedCallsShareTheLock() {
		Supplier<Mono<String>> inner = () -> ReactiveLockContext.all().map((locks) -> "inner of " + locks.size());
		assertThat(this.jobs
			.one("nested", () -> Mono.delay(Duration.ofMillis(1)).flatMap((tick) -> this.jobs.once("nested", inner)))
			.block(SOON)).isEqualTo("inner of 2");
		assertThat(this.jobs.many("nested", () -> Flux.range(0, 3).concatMap((i) -> this.jobs.once("nested", inner)))
			.collectList()
			.block(SOON)).hasSize(3);
		assertThat(this.jobs.one("nested", () -> Mono.fromFuture(this.jobs.stage("nested", "stage"))).block(SOON))
			.isEqualTo("stage");
		assertThat(FLEET.isBusy("nested")).isFalse();
	}

	@Test
	void nestedCallThatOutlivesTheOuterOneKeepsTheLock() {
		AtomicReference<Disposable> inner = new AtomicReference<>();
		this.jobs.one("outlived", () -> ReactiveLockContext.all().map((locks) -> {
			inner.set(this.jobs.once("outlived", this::work)
				.contextWrite((context) -> context.put(ReactiveLockContext.class, locks))
				.subscribe());
			return "outer";
		})).block(SOON);
		assertThat(FLEET.isBusy("outlived")).isTrue();
		inner.get().dispose();
		awaitFree("outlived");
	}

	@Test
	void otherReactiveTypesWorkToo() {
		assertThat(this.jobs.single("rx").blockingGet()).isEqualTo("single");
		assertThat(this.jobs.flowable("rx").toList().blockingGet()).containsExactly("a", "b");
		this.jobs.completable("rx").blockingAwait();
		assertThat(Flux.from(this.jobs.publisher("rx")).collectList().block(SOON)).containsExactly("a", "b");
		assertThat(JdkFlowAdapter.flowPublisherToFlux(this.jobs.jdkPublisher("rx")).collectList().block(SOON))
			.containsExactly("a", "b");
		assertThat(FLEET.isBusy("rx")).isFalse();
	}

	@Test
	void twoApplicationsNeverRunAtTheSameTime() {
		Overlap overlap = new Overlap();
		List<String> all = Flux.range(0, 200)
			.flatMap((i) -> FLEET.both(Jobs.class).get(i % 2).patient("contended", () -> {
				overlap.enter();
				return Mono.delay(Duration.ofMillis(1)).map((tick) -> {
					overlap.leave();
					return "done";
				});
			}), 200)
			.collectList()
			.block(Duration.ofSeconds(60));
		assertThat(all).hasSize(200);
		overlap.assertNoneOf(200);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Jobs.class)
	static class Application {

	}

	static class Jobs {

		@DistributedLock(key = "#key")
		public Mono<String> one(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key")
		public Flux<String> many(String key, Supplier<Flux<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public Mono<String> once(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", maxWaiters = 1)
		public Mono<String> alone(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", waitTime = "60s")
		public Mono<String> patient(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", leaseTime = "20s")
		public Mono<String> brief(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", leaseTime = "20s", onLost = OnLost.INTERRUPT)
		public Mono<String> interrupted(String key, Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", leaseTime = "20s", onLost = OnLost.INTERRUPT)
		public Flux<String> interruptedMany(String key, Supplier<Flux<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key")
		public Mono<String> fenced(String key, @FencingToken long token, LongFunction<Mono<String>> body) {
			return body.apply(token);
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public CompletableFuture<String> stage(String key, String value) {
			return CompletableFuture.completedFuture(value);
		}

		@DistributedLock(key = "#key")
		public Single<String> single(String key) {
			return Single.just("single");
		}

		@DistributedLock(key = "#key")
		public Flowable<String> flowable(String key) {
			return Flowable.just("a", "b");
		}

		@DistributedLock(key = "#key")
		public Publisher<String> publisher(String key) {
			return Flux.just("a", "b");
		}

		@DistributedLock(key = "#key")
		public Flow.Publisher<String> jdkPublisher(String key) {
			return JdkFlowAdapter.publisherToFlowPublisher(Flux.just("a", "b"));
		}

		@DistributedLock(key = "#key")
		public Completable completable(String key) {
			return Completable.complete();
		}

	}

}
