package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.OnBusy;
import io.distlock.OnStoreFailure;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.LockFailure;
import io.distlock.spring.LockFailureHandler;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What methods return that end later than they return, and got no lock. */
class DeferredRefusalTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore());

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withBean(LockStore.class, () -> this.store)
		.withBean("tenants", Tenants.class)
		.withBean(Seen.class)
		.withBean(Jobs.class);

	private void whileBusy(AssertableApplicationContext context, Runnable test) {
		LockRequest request = LockRequest.ofAll(List.of("job", "job:acme"));
		try (LockHandle lock = context.getBean(LockTemplate.class).acquireAsync(request).toCompletableFuture().join()) {
			test.run();
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void runWithoutLockThenTheBodyHasItsOwnAdvice() {
		this.runner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			this.store.injectAll(Fault.REFUSE);
			assertThat(jobs.stage("a")).succeedsWithin(SOON).isEqualTo("ran a");
			assertThat(jobs.mono("a").block(SOON)).isEqualTo("ran a");
			assertThat(jobs.flux("a").collectList().block(SOON)).containsExactly("ran a");
			assertThat(Seen.ITEMS).containsExactly("a", "a", "a");
			this.store.heal();
			assertThat(jobs.mono("b").block(SOON)).isEqualTo("ran b");
		});
	}

	@Test
	void handlerIsToldTheKeysThatWereAskedForOnWhateverThreadItIs() {
		this.runner.withBean(Handler.class).run((context) -> whileBusy(context, () -> {
			Jobs jobs = context.getBean(Jobs.class);
			Handler handler = context.getBean(Handler.class);
			Tenants.CURRENT.set("acme");
			CompletableFuture<String> stage = jobs.ofTenant();
			Tenants.CURRENT.remove();
			handler.answer = CompletableFuture.completedFuture("handled");
			assertThat(stage).failsWithin(SOON).withThrowableThat().havingCause().isInstanceOf(LockBusyException.class);
			assertThat(handler.failures).singleElement()
				.satisfies((failure) -> assertThat(failure.keys()).containsExactly("job:acme"));
			assertThat(Tenants.calls).as("evaluated once").isOne();
		}));
	}

	@Test
	void handlerAnswersWithTheTypeOfTheMethod() {
		this.runner.withBean(Handler.class).run((context) -> whileBusy(context, () -> {
			Handler handler = context.getBean(Handler.class);
			handler.answer = Mono.just("handled");
			assertThat(context.getBean(Jobs.class).plain().block(SOON)).isEqualTo("handled");
			handler.answer = Handler.NOTHING;
			assertThat(context.getBean(Jobs.class).plain().blockOptional(SOON)).isEmpty();
			assertThat(context.getBean(Jobs.class).flux("a").collectList().block(SOON)).isEmpty();
			assertThat(context.getBean(Jobs.class).stage("a")).succeedsWithin(SOON).isNull();
			handler.answer = "handled";
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(Jobs.class).plain().block(SOON))
				.withMessage("LockFailureHandler " + Handler.class.getName() + " returned a java.lang.String for "
						+ "DeferredRefusalTests.Jobs.plain(), which returns Mono");
		}));
	}

	@Test
	void handlerMustAnswerWithTheTypeOfTheMethodNotThatOfItsInterface() {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean(Copier.class)
			.withBean(Handler.class)
			.run((context) -> {
				Copy<?> copier = context.getBean(Copy.class);
				Handler handler = context.getBean(Handler.class);
				LockHandle other = context.getBean(LockTemplate.class)
					.acquireAsync(LockRequest.of("copy"))
					.toCompletableFuture()
					.join();
				handler.answer = 7L;
				assertThatIllegalStateException().isThrownBy(copier::copy)
					.withMessageEndingWith("returned a java.lang.Long for DeferredRefusalTests.Copier.copy(), "
							+ "which returns String");
				handler.answer = "handled";
				assertThat(copier.copy()).isEqualTo("handled");
				other.close();
			});
	}

	@Test
	void skipThenTheEmptyResultOfEachType() {
		this.runner.run((context) -> whileBusy(context, () -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.skipInt()).isEmpty();
			assertThat(jobs.skipLong()).isEmpty();
			assertThat(jobs.skipOptionalStage()).succeedsWithin(SOON).isEqualTo(Optional.empty());
			assertThat(jobs.skipGivenStage().toCompletableFuture()).succeedsWithin(SOON).isEqualTo(TimeUnit.DAYS);
			assertThat(jobs.skipVoidStage()).succeedsWithin(SOON).isNull();
			assertThat(jobs.skipMaybe().isEmpty().blockingGet()).isTrue();
			assertThat(jobs.skipCompletable().blockingAwait(20, TimeUnit.SECONDS)).isTrue();
			assertThat(jobs.skipMono().blockOptional(SOON)).isEmpty();
			assertThat(jobs.skipMono().blockOptional(SOON)).as("subscribed again").isEmpty();
			assertThat(jobs.skipFlux().collectList().block(SOON)).isEmpty();
		}));
	}

	@Test
	void skipOfATypeThatCannotBeEmptyIsRefused() {
		this.runner.withBean(SkipSingle.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidLockDefinitionException.class)
				.hasMessageEndingWith(
						"onBusy is SKIP, but there is no value to return: the method returns Single. Name "
								+ "one with skipValue, or return void, an Optional or a type that may be null"));
	}

	@Aspect
	static class Seen {

		static final List<String> ITEMS = new CopyOnWriteArrayList<>();

		Seen() {
			ITEMS.clear();
		}

		@Before("execution(* io.distlock.autoconfigure.DeferredRefusalTests.Jobs.*(String)) && args(item)")
		public void see(String item) {
			ITEMS.add(item);
		}

	}

	static class Tenants {

		static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

		static volatile int calls;

		Tenants() {
			calls = 0;
		}

		public @Nullable String current() {
			calls++;
			return CURRENT.get();
		}

	}

	static class Handler implements LockFailureHandler {

		static final Object NOTHING = new Object();

		final List<LockFailure> failures = new CopyOnWriteArrayList<>();

		volatile @Nullable Object answer;

		@Override
		public @Nullable Object handle(LockFailure failure) throws Throwable {
			this.failures.add(failure);
			if (this.answer == null || failure.method().getName().equals("ofTenant")) {
				throw failure.exception();
			}
			return (this.answer != NOTHING) ? this.answer : null;
		}

	}

	static class Jobs {

		@DistributedLock(name = "job", waitTime = "0", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public CompletableFuture<String> stage(String item) {
			return CompletableFuture.completedFuture("ran " + item);
		}

		@DistributedLock(name = "job", waitTime = "0", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public Mono<String> mono(String item) {
			return Mono.just("ran " + item);
		}

		@DistributedLock(name = "job", waitTime = "0", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public Flux<String> flux(String item) {
			return Flux.just("ran " + item);
		}

		@DistributedLock(name = "job", key = "@tenants.current()", waitTime = "0")
		public CompletableFuture<String> ofTenant() {
			return CompletableFuture.completedFuture("ran");
		}

		@DistributedLock(name = "job", waitTime = "0")
		public Mono<String> plain() {
			return Mono.just("ran");
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public OptionalInt skipInt() {
			return OptionalInt.of(1);
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public OptionalLong skipLong() {
			return OptionalLong.of(1);
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public CompletableFuture<Optional<String>> skipOptionalStage() {
			return CompletableFuture.completedFuture(Optional.of("ran"));
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "DAYS")
		public CompletionStage<TimeUnit> skipGivenStage() {
			return CompletableFuture.completedStage(TimeUnit.HOURS);
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public CompletableFuture<Void> skipVoidStage() {
			return CompletableFuture.failedFuture(new IllegalStateException("ran"));
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public Maybe<String> skipMaybe() {
			return Maybe.just("ran");
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public Completable skipCompletable() {
			return Completable.error(new IllegalStateException("ran"));
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public Mono<String> skipMono() {
			return Mono.just("ran");
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public Flux<String> skipFlux() {
			return Flux.just("ran");
		}

	}

	interface Copy<T> {

		T copy();

	}

	static class Copier implements Copy<String> {

		@Override
		@DistributedLock(name = "copy", waitTime = "0")
		public String copy() {
			return "copied";
		}

	}

	static class SkipSingle {

		@DistributedLock(onBusy = OnBusy.SKIP)
		public Single<String> run() {
			return Single.just("ran");
		}

	}

}
