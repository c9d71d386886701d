package io.distlock.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
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
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.OnLost;
import io.distlock.test.Pause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Methods that return a reactive type. */
class ReactiveMethodTests extends AbstractDeferredMethodTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Jobs jobs = FLEET.get(Jobs.class);

	private final Sinks.Many<String> stream = Sinks.many().unicast().onBackpressureBuffer();

	private final AtomicBoolean stopped = new AtomicBoolean();

	@AfterAll
	static void close() {
		FLEET.close();
	}

	ReactiveMethodTests() {
		super(FLEET, FLEET.both(Jobs.class).stream().map(ReactiveMethodTests::calls).toList());
	}

	private static Calls calls(Jobs jobs) {
		return new Calls(call(jobs::one), call(jobs::once), call(jobs::alone), call(jobs::patient), call(jobs::brief),
				call(jobs::interrupted));
	}

	private static Call call(BiFunction<String, Supplier<Mono<String>>, Mono<String>> method) {
		return (key, body) -> method.apply(key, () -> Mono.fromFuture(body)).toFuture();
	}

	private Flux<String> stream() {
		return Flux.defer(() -> {
			this.called.set(true);
			return this.stream.asFlux();
		}).doOnCancel(() -> this.stopped.set(true));
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
	void heldUntilTheFluxCompletesAndReleasedBeforeItsEnd() {
		CompletableFuture<List<String>> result = this.jobs.many("many", this::stream).collectList().toFuture();
		awaitCall();
		this.stream.tryEmitNext("a");
		this.stream.tryEmitNext("b");
		assertThat(FLEET.isBusy("many")).isTrue();
		this.stream.tryEmitComplete();
		assertThat(result).succeedsWithin(SOON).isEqualTo(List.of("a", "b"));
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
	void releasedWhenEmptyThrownOrNull() {
		assertThat(this.jobs.one("ends", Mono::empty).block(SOON)).isNull();
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
	void streamCancelledWhileWaitingThenNeverCalledAndNothingHeld() {
		LockHandle other = FLEET.other().acquire("cancelled-stream");
		this.jobs.many("cancelled-stream", this::stream).subscribe().dispose();
		other.close();
		assertThat(this.jobs.one("cancelled-stream", () -> Mono.just("next")).block(SOON)).isEqualTo("next");
		awaitFree("cancelled-stream");
		assertThat(this.called).isFalse();
	}

	@Test
	void streamCancelledAtAnyMomentThenNothingIsHeld() {
		for (int i = 0; i < 100; i++) {
			Disposable many = this.jobs.many("moment-of-stream", Flux::never).subscribe();
			Pause.nanos(i * 20_000L);
			many.dispose();
		}
		awaitFree("moment-of-stream");
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
	void lossCancelsTheStreamThatWantsIt() {
		CompletableFuture<String> result = this.jobs.interruptedMany("lost-stream", this::stream).last().toFuture();
		awaitCall();
		FLEET.outliveLeases();
		assertThat(failure(result)).isInstanceOf(LockLostException.class);
		assertThat(this.stopped).isTrue();
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
			inner.set(this.jobs.once("outlived", Mono::never)
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
