package io.distlock.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.OnLost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Methods that return a stage. */
class StageMethodTests extends AbstractDeferredMethodTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Jobs jobs = FLEET.get(Jobs.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	StageMethodTests() {
		super(FLEET, FLEET.both(Jobs.class).stream().map(StageMethodTests::calls).toList());
	}

	private static Calls calls(Jobs jobs) {
		return new Calls(jobs::run, jobs::once, jobs::alone, jobs::patient, jobs::brief, jobs::interrupted);
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
	void callerThatGivesUpWhileItWaitsThenNeverCalledAndNothingHeld() {
		LockHandle other = FLEET.other().acquire("given-up");
		this.jobs.run("given-up", this::work).completeExceptionally(new IllegalStateException("The caller has gone"));
		other.close();
		assertThat(join(this.jobs.run("given-up", () -> CompletableFuture.completedFuture("next")))).isEqualTo("next");
		awaitFree("given-up");
		assertThat(this.called).isFalse();
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
