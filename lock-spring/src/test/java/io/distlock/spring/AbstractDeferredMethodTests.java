package io.distlock.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.test.Pause;

import static org.assertj.core.api.Assertions.assertThat;

/** Methods whose work goes on after the call, in two applications on a real Redis. */
abstract class AbstractDeferredMethodTests {

	static final Duration SOON = Duration.ofSeconds(20);

	final CompletableFuture<String> work = new CompletableFuture<>();

	final AtomicBoolean called = new AtomicBoolean();

	private final Fleet fleet;

	private final List<Calls> applications;

	private final Calls calls;

	/** A call of a method whose body does that work, and its result. */
	interface Call {

		CompletableFuture<String> of(String key, Supplier<CompletableFuture<String>> body);

	}

	/**
	 * Calls of the methods of one application.
	 *
	 * @param run waits for a lock as usual
	 * @param once does not wait
	 * @param alone lets nobody wait behind a waiting one
	 * @param patient waits for a minute
	 * @param brief has a lease of 20 s
	 * @param interrupted has such a lease, and wants to be told when it is lost
	 */
	record Calls(Call run, Call once, Call alone, Call patient, Call brief, Call interrupted) {

	}

	AbstractDeferredMethodTests(Fleet fleet, List<Calls> applications) {
		this.fleet = fleet;
		this.applications = applications;
		this.calls = applications.get(0);
	}

	final CompletableFuture<String> work() {
		this.called.set(true);
		return this.work;
	}

	final void awaitCall() {
		Awaitility.await().atMost(SOON).untilTrue(this.called);
	}

	final void awaitFree(String key) {
		Awaitility.await().atMost(SOON).until(() -> !this.fleet.isBusy(key));
	}

	static String join(CompletableFuture<String> future) {
		return future.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
	}

	static Throwable failure(CompletableFuture<String> future) {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		future.whenComplete((value, ex) -> failure.complete(ex));
		Throwable thrown = failure.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
		return (thrown instanceof CompletionException) ? thrown.getCause() : thrown;
	}

	@Test
	void heldUntilTheWorkIsDoneAndReleasedBeforeTheResult() {
		CompletableFuture<String> result = this.calls.run.of("held", this::work);
		awaitCall();
		assertThat(this.fleet.isBusy("held")).isTrue();
		assertThat(result).isNotDone();
		this.work.complete("done");
		assertThat(join(result)).isEqualTo("done");
		assertThat(this.fleet.isBusy("held")).isFalse();
	}

	@Test
	void releasedWhenTheWorkFails() {
		CompletableFuture<String> result = this.calls.run.of("failed", this::work);
		IllegalArgumentException failure = new IllegalArgumentException();
		this.work.completeExceptionally(failure);
		assertThat(failure(result)).isSameAs(failure);
		assertThat(this.fleet.isBusy("failed")).isFalse();
	}

	@Test
	void callerDoesNotWaitAndNothingIsThrownAtIt() {
		LockHandle other = this.fleet.other().acquire("busy");
		CompletableFuture<String> waiting = this.calls.run.of("busy", this::work);
		assertThat(failure(this.calls.once.of("busy", this::work))).isInstanceOf(LockBusyException.class);
		assertThat(failure(this.calls.run.of(" ", this::work))).isInstanceOf(LockKeyException.class);
		assertThat(waiting).isNotDone();
		assertThat(this.called).isFalse();
		other.close();
		this.work.complete("at last");
		assertThat(join(waiting)).isEqualTo("at last");
	}

	@Test
	void oneMoreThanMayWaitIsRefusedAtOnceUntilTheWaitingOneHasGone() {
		LockHandle other = this.fleet.other().acquire("crowd");
		CompletableFuture<String> waiting = this.calls.alone.of("crowd", this::work);
		assertThat(failure(this.calls.alone.of("crowd", this::work))).isInstanceOf(LockBusyException.class);
		assertThat(waiting).isNotDone();
		waiting.cancel(true);
		CompletableFuture<String> next = this.calls.alone.of("crowd", this::work);
		other.close();
		this.work.complete("next");
		assertThat(join(next)).isEqualTo("next");
	}

	@Test
	void cancelledWhileWaitingThenNeverCalledAndNothingHeld() {
		LockHandle other = this.fleet.other().acquire("cancelled");
		CompletableFuture<String> waiting = this.calls.run.of("cancelled", this::work);
		waiting.cancel(true);
		other.close();
		assertThat(join(this.calls.run.of("cancelled", () -> CompletableFuture.completedFuture("next"))))
			.isEqualTo("next");
		awaitFree("cancelled");
		assertThat(this.called).isFalse();
	}

	@Test
	void cancelledAtAnyMomentThenNothingIsHeld() {
		for (int i = 0; i < 100; i++) {
			CompletableFuture<String> result = this.calls.run.of("moment", this::work);
			Pause.nanos(i * 20_000L);
			result.cancel(true);
		}
		awaitFree("moment");
	}

	@Test
	void cancelledWhileRunningThenSoIsTheBody() {
		CompletableFuture<String> result = this.calls.run.of("stopped", this::work);
		awaitCall();
		result.cancel(true);
		assertThat(this.work).isCancelled();
		awaitFree("stopped");
	}

	@Test
	void lossIsTheResult() {
		CompletableFuture<String> result = this.calls.brief.of("lost", this::work);
		awaitCall();
		this.fleet.outliveLeases();
		assertThat(result).isNotDone();
		assertThat(this.work.complete("too late")).as("the body was left alone").isTrue();
		assertThat(failure(result)).isInstanceOfSatisfying(LockLostException.class, (loss) -> {
			assertThat(loss.key()).isEqualTo("lost");
			assertThat(loss.getSuppressed()).isEmpty();
		});
	}

	@Test
	void lossIsSuppressedOntoTheFailureOfTheBody() {
		CompletableFuture<String> result = this.calls.brief.of("lost-too", this::work);
		awaitCall();
		this.fleet.outliveLeases();
		IllegalArgumentException failure = new IllegalArgumentException();
		this.work.completeExceptionally(failure);
		assertThat(failure(result)).isSameAs(failure);
		assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
	}

	@Test
	void lossCancelsTheBodyThatWantsIt() {
		CompletableFuture<String> result = this.calls.interrupted.of("lost-at-once", this::work);
		awaitCall();
		this.fleet.outliveLeases();
		assertThat(failure(result)).isInstanceOf(LockLostException.class);
		assertThat(this.work).isCancelled();
	}

	@Test
	void twoApplicationsNeverRunAtTheSameTime() {
		Overlap overlap = new Overlap();
		Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);
		List<CompletableFuture<String>> all = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			for (Calls each : this.applications) {
				all.add(each.patient.of("contended", () -> {
					overlap.enter();
					return CompletableFuture.runAsync(overlap::leave, later).thenApply((done) -> "done");
				}));
			}
		}
		all.forEach((each) -> assertThat(each.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("done"));
		overlap.assertNoneOf(200);
	}

}
