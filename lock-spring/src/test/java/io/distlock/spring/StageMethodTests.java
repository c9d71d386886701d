package io.distlock.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

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
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Methods that return a stage, in two applications on a real Redis. */
class StageMethodTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Jobs jobs = FLEET.get(Jobs.class);

	private final CompletableFuture<String> work = new CompletableFuture<>();

	private final AtomicBoolean called = new AtomicBoolean();

	@AfterAll
	static void close() {
		FLEET.close();
	}

	private CompletableFuture<String> work() {
		this.called.set(true);
		return this.work;
	}

	private void awaitCall() {
		Awaitility.await().atMost(SOON).untilTrue(this.called);
	}

	private static void awaitFree(String key) {
		Awaitility.await().atMost(SOON).until(() -> !FLEET.isBusy(key));
	}

	private static String join(CompletableFuture<String> future) {
		return future.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
	}

	private static Throwable failure(CompletableFuture<String> future) {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		future.whenComplete((value, ex) -> failure.complete(ex));
		Throwable thrown = failure.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
		return (thrown instanceof CompletionException) ? thrown.getCause() : thrown;
	}

	@Test
	void heldUntilTheStageCompletesAndReleasedBeforeTheResult() {
		CompletableFuture<String> result = this.jobs.run("held", this::work);
		awaitCall();
		assertThat(FLEET.isBusy("held")).isTrue();
		assertThat(result).isNotDone();
		this.work.complete("done");
		assertThat(join(result)).isEqualTo("done");
		assertThat(FLEET.isBusy("held")).isFalse();
	}

	@Test
	void releasedWhenTheStageFails() {
		CompletableFuture<String> result = this.jobs.run("failed", this::work);
		IllegalArgumentException failure = new IllegalArgumentException();
		this.work.completeExceptionally(failure);
		assertThat(failure(result)).isSameAs(failure);
		assertThat(FLEET.isBusy("failed")).isFalse();
	}

	@Test
	void releasedWhenTheBodyThrowsOrReturnsNull() {
		assertThat(failure(this.jobs.run("thrown", () -> {
			throw new IllegalArgumentException("thrown");
		}))).hasMessage("thrown");
		assertThat(FLEET.isBusy("thrown")).isFalse();
		assertThat(failure(this.jobs.run("null", () -> null)))
			.hasMessage("@DistributedLock on StageMethodTests.Jobs.run(String, Supplier): it returned null instead of "
					+ "a stage, so the end of its work is not known. Return "
					+ "CompletableFuture.completedFuture(null) if it is done already");
		assertThat(FLEET.isBusy("null")).isFalse();
	}

	@Test
	void callerDoesNotWaitAndNothingIsThrownAtIt() {
		LockHandle other = FLEET.other().acquire("busy");
		CompletableFuture<String> waiting = this.jobs.run("busy", this::work);
		assertThat(failure(this.jobs.once("busy", this::work))).isInstanceOf(LockBusyException.class);
		assertThat(failure(this.jobs.run(" ", this::work))).isInstanceOf(LockKeyException.class);
		assertThat(waiting).isNotDone();
		assertThat(this.called).isFalse();
		other.close();
		this.work.complete("at last");
		assertThat(join(waiting)).isEqualTo("at last");
	}

	@Test
	void oneMoreThanMayWaitIsRefusedAtOnceUntilTheWaitingOneHasGone() {
		LockHandle other = FLEET.other().acquire("crowd");
		CompletableFuture<String> waiting = this.jobs.alone("crowd", this::work);
		assertThat(failure(this.jobs.alone("crowd", this::work))).isInstanceOf(LockBusyException.class);
		assertThat(waiting).isNotDone();
		waiting.cancel(true);
		CompletableFuture<String> next = this.jobs.alone("crowd", this::work);
		other.close();
		this.work.complete("next");
		assertThat(join(next)).isEqualTo("next");
	}

	@Test
	void cancelledWhileWaitingThenNeverCalledAndNothingHeld() {
		LockHandle other = FLEET.other().acquire("cancelled");
		CompletableFuture<String> waiting = this.jobs.run("cancelled", this::work);
		CompletableFuture<String> timedOut = this.jobs.run("cancelled", this::work);
		waiting.cancel(true);
		timedOut.completeExceptionally(new IllegalStateException("The caller has gone"));
		other.close();
		assertThat(join(this.jobs.run("cancelled", () -> CompletableFuture.completedFuture("next")))).isEqualTo("next");
		awaitFree("cancelled");
		assertThat(this.called).isFalse();
	}

	@Test
	void cancelledAtAnyMomentThenNothingIsHeld() {
		for (int i = 0; i < 100; i++) {
			CompletableFuture<String> result = this.jobs.run("moment", this::work);
			Pause.nanos(i * 20_000L);
			result.cancel(true);
		}
		awaitFree("moment");
	}

	@Test
	void cancelledWhileRunningThenSoIsTheBody() {
		CompletableFuture<String> result = this.jobs.run("stopped", this::work);
		awaitCall();
		result.cancel(true);
		assertThat(this.work).isCancelled();
		awaitFree("stopped");
	}

	@Test
	void cancelledWhileRunningThenHeldUntilTheBodyHasEnded() {
		CompletableFuture<String> result = this.jobs.stage("kept", () -> work().minimalCompletionStage())
			.toCompletableFuture();
		awaitCall();
		result.cancel(true);
		assertThat(this.work).isNotDone();
		assertThat(FLEET.isBusy("kept")).isTrue();
		this.work.complete("late");
		awaitFree("kept");
	}

	@Test
	void callerThatStopsWaitingDoesNotEndTheLock() {
		CompletableFuture<String> result = this.jobs.run("impatient", this::work);
		awaitCall();
		result.completeExceptionally(new IllegalStateException("Too long for me"));
		assertThat(FLEET.isBusy("impatient")).isTrue();
		this.work.complete("late");
		awaitFree("impatient");
	}

	@Test
	void lossIsTheResult() {
		CompletableFuture<String> result = this.jobs.brief("lost", this::work);
		awaitCall();
		FLEET.outliveLeases();
		this.work.complete("too late");
		assertThat(failure(result)).isInstanceOfSatisfying(LockLostException.class,
				(loss) -> assertThat(loss.key()).isEqualTo("lost"));
	}

	@Test
	void lossIsSuppressedOntoTheFailureOfTheBody() {
		CompletableFuture<String> result = this.jobs.brief("lost-too", this::work);
		awaitCall();
		FLEET.outliveLeases();
		IllegalArgumentException failure = new IllegalArgumentException();
		this.work.completeExceptionally(failure);
		assertThat(failure(result)).isSameAs(failure);
		assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
	}

	@Test
	void lossCancelsTheBodyThatWantsIt() {
		CompletableFuture<String> result = this.jobs.interrupted("lost-at-once", this::work);
		awaitCall();
		FLEET.outliveLeases();
		assertThat(failure(result)).isInstanceOf(LockLostException.class);
		assertThat(this.work).isCancelled();
	}

	@Test
	void lockIsTheCurrentOneWhileTheMethodIsCalled() {
		AtomicReference<LockHandle> current = new AtomicReference<>();
		AtomicReference<Thread> thread = new AtomicReference<>();
		String token = join(this.jobs.fenced("context", 0, (value) -> {
			current.set(LockContext.current().orElseThrow());
			thread.set(Thread.currentThread());
			return CompletableFuture.completedFuture(Long.toString(value));
		}));
		assertThat(current.get().key()).isEqualTo("context");
		assertThat(token).isEqualTo(Long.toString(current.get().fencingToken()));
		assertThat(thread.get()).isNotSameAs(Thread.currentThread());
		assertThat(LockContext.current()).isEmpty();
	}

	@Test
	void nestedCallsShareTheLockAndTheLastReleasesIt() {
		CompletableFuture<String> inner = new CompletableFuture<>();
		AtomicReference<CompletableFuture<String>> nested = new AtomicReference<>();
		CompletableFuture<String> outer = this.jobs.once("nested", () -> {
			nested.set(this.jobs.once("nested", () -> inner));
			assertThat(this.jobs.blocking("nested", "of the thread")).isEqualTo("of the thread");
			return work();
		});
		this.work.complete("outer");
		assertThat(join(outer)).isEqualTo("outer");
		assertThat(FLEET.isBusy("nested")).isTrue();
		inner.complete("inner");
		assertThat(join(nested.get())).isEqualTo("inner");
		assertThat(FLEET.isBusy("nested")).isFalse();
	}

	@Test
	void nestedCallOfALostLockDoesNotRun() {
		CompletableFuture<String> outer = this.jobs.brief("nested-lost", () -> {
			FLEET.outliveLeases();
			return this.jobs.run("nested-lost", this::work);
		});
		assertThat(failure(outer)).isInstanceOf(LockLostException.class);
		assertThat(this.called).isFalse();
	}

	@Test
	void threadThatHoldsTheLockIsToldThatItWouldWaitForItself() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.jobs.blocking("own", () -> failure(this.jobs.run("own", this::work))))
			.withMessage("@DistributedLock on StageMethodTests.Jobs.run(String, Supplier): lock 'own' is held by the "
					+ "calling thread '" + Thread.currentThread().getName() + "', and an asynchronous body would wait "
					+ "for it in vain. Make the method that holds it asynchronous too, or call this one after it");
		assertThat(this.called).isFalse();
		assertThat(FLEET.isBusy("own")).isFalse();
	}

	@Test
	void stageThatOnlyTheResultTellsOfIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.anything("any", this.work))
			.withMessage("@DistributedLock on StageMethodTests.Jobs.anything(String, Object): it returned a "
					+ "CompletableFuture, whose work may go on, but the lock was held for the call only. Declare the "
					+ "method to return that type, or return the finished result");
		assertThat(this.jobs.anything("any", "finished")).isEqualTo("finished");
	}

	@Test
	void twoApplicationsNeverRunAtTheSameTime() {
		Overlap overlap = new Overlap();
		Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);
		List<CompletableFuture<String>> all = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			for (Jobs each : FLEET.both(Jobs.class)) {
				all.add(each.patient("contended", () -> {
					overlap.enter();
					return CompletableFuture.runAsync(overlap::leave, later).thenApply((done) -> "done");
				}));
			}
		}
		all.forEach((each) -> assertThat(each.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("done"));
		overlap.assertNoneOf(200);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Jobs.class)
	static class Application {

	}

	static class Jobs {

		@DistributedLock(key = "#key")
		public CompletableFuture<String> run(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", waitTime = "60s")
		public CompletableFuture<String> patient(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public CompletableFuture<String> once(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", maxWaiters = 1)
		public CompletableFuture<String> alone(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key")
		public CompletionStage<String> stage(String key, Supplier<CompletionStage<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", leaseTime = "20s")
		public CompletableFuture<String> brief(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key", leaseTime = "20s", onLost = OnLost.INTERRUPT)
		public CompletableFuture<String> interrupted(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "#key")
		public CompletableFuture<String> fenced(String key, @FencingToken long token,
				LongFunction<CompletableFuture<String>> body) {
			return body.apply(token);
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public String blocking(String key, String value) {
			return value;
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public void blocking(String key, Supplier<Throwable> body) {
			Throwable failure = body.get();
			if (failure instanceof RuntimeException unchecked) {
				throw unchecked;
			}
		}

		@DistributedLock(key = "#key", waitTime = "0")
		public Object anything(String key, Object value) {
			return value;
		}

	}

}
