package io.distlock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A caller that goes away while its lock is on the way to it. */
class AsyncAcquisitionTests {

	/** The packages whose objects belong to one key. */
	private static final Pattern OF_A_KEY = Pattern
		.compile("io\\.distlock\\.internal\\.(?!context|observe|time)\\w+\\.\\S+");

	private static final LockRequest JOB = LockRequest.of("a").holdAtLeast(Duration.ofSeconds(10));

	private final ModelClock clock = new ModelClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock.elsewhere(), Runnable::run);

	private final Deque<Runnable> callbacks = new ArrayDeque<>();

	private final LockEngine here = engine("here");

	private final LockEngine elsewhere = engine("elsewhere");

	private LockEngine engine(String name) {
		LockSettings settings = LockSettings.builder().waitTime(Duration.ZERO).build();
		return new LockEngine(new EngineContext(new InMemoryLockStore(this.server), settings, this.clock, name,
				LockTemplates.DEFAULT, LockObserver.NONE, this.callbacks::add, () -> 0.5));
	}

	/** Each callback runs on the thread that brings the news, within what it does. */
	private LockEngine engineWithCallbacksAtOnce(LockStore store) {
		return new LockEngine(new EngineContext(store, LockSettings.DEFAULTS, this.clock, "at once",
				LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5));
	}

	private void runCallbacks() {
		while (!this.callbacks.isEmpty()) {
			this.callbacks.remove().run();
		}
	}

	private boolean takenElsewhere(String key) {
		Optional<LockHandle> lock = this.elsewhere.tryAcquire(LockRequest.of(key));
		lock.ifPresent(LockHandle::close);
		return lock.isEmpty();
	}

	@Test
	void cancelWhenGrantedMeanwhileThenFreeAtOnceThoughThereIsAMinimumHold() {
		CompletableFuture<LockHandle> future = this.here.acquireAsync(JOB).toCompletableFuture();
		assertThat(takenElsewhere("a")).isTrue();
		future.cancel(false);
		runCallbacks();
		assertThat(takenElsewhere("a")).as("no body ran").isFalse();
		assertThat(this.here.isIdle()).isTrue();
	}

	@Test
	void cancelWhenTheFirstOfSeveralIsGrantedThenAllAreFreeAtOnce() {
		LockRequest both = LockRequest.ofAll(List.of("a", "b")).holdAtLeast(Duration.ofSeconds(10));
		CompletableFuture<LockHandle> future = this.here.acquireAsync(both).toCompletableFuture();
		this.callbacks.remove().run();
		assertThat(takenElsewhere("a") && takenElsewhere("b")).isTrue();
		future.cancel(false);
		runCallbacks();
		assertThat(takenElsewhere("a") || takenElsewhere("b")).as("no body ran").isFalse();
		assertThat(this.here.isIdle()).isTrue();
	}

	@Test
	void acquireAsyncThenCompletedWithWhatIsHeld() {
		CompletableFuture<LockHandle> future = this.here.acquireAsync(JOB).toCompletableFuture();
		runCallbacks();
		assertThat(future.join().isHeld()).isTrue();
	}

	@Test
	void cancelWhenAStepEndedWhileItBeganThenTheNextOneIsStopped() {
		LockEngine engine = engineWithCallbacksAtOnce(new InMemoryLockStore(this.server));
		LockHandle other = this.elsewhere.acquire(LockRequest.of("b"));
		LockRequest three = LockRequest.ofAll(List.of("a", "b", "c")).waitAtMost(Duration.ofHours(1));
		CompletableFuture<LockHandle> future = engine.acquireAsync(three).toCompletableFuture();
		assertThat(takenElsewhere("a")).as("held while b is waited for").isTrue();
		future.cancel(false);
		assertThat(takenElsewhere("a")).as("given back at once").isFalse();
		other.close();
		assertThat(takenElsewhere("b")).as("the place in the queue too").isFalse();
		assertThat(engine.isIdle()).isTrue();
	}

	@Test
	void cancelWhileTheNextStepBeginsThenItIsStopped() {
		AtomicReference<CompletableFuture<LockHandle>> future = new AtomicReference<>();
		QueueingStore store = new QueueingStore(new InMemoryLockStore(this.server));
		store.beforeAcquire((key) -> {
			if (key.equals("b")) {
				future.get().cancel(false);
			}
		});
		LockEngine engine = engineWithCallbacksAtOnce(store);
		LockHandle other = this.elsewhere.acquire(LockRequest.of("b"));
		LockRequest three = LockRequest.ofAll(List.of("a", "b", "c")).waitAtMost(Duration.ofHours(1));
		future.set(engine.acquireAsync(three).toCompletableFuture());
		while (!store.pending().isEmpty()) {
			store.executeAll();
		}
		other.close();
		assertThat(future.get()).isCancelled();
		assertThat(engine.isIdle()).as("its place in the queue is given back").isTrue();
		assertThat(this.elsewhere.tryAcquire(three.waitAtMost(Duration.ZERO))).isPresent();
	}

	@Test
	void acquireAsyncWhenALaterStepFailsThenHoldsNothingAndTheCallerLearnsIt() {
		FailingClock failing = new FailingClock(this.clock);
		List<String> observed = new ArrayList<>();
		LockEngine engine = new LockEngine(
				new EngineContext(failing.armedBy("c", new InMemoryLockStore(this.server)), LockSettings.DEFAULTS,
						failing, "fails", LockTemplates.DEFAULT, observer(observed), this.callbacks::add, () -> 0.5));
		LockHandle other = this.elsewhere.acquire(LockRequest.of("b"));
		LockRequest four = LockRequest.ofAll(List.of("a", "b", "c", "d")).waitAtMost(Duration.ofHours(1));
		CompletableFuture<LockHandle> future = engine.acquireAsync(four).toCompletableFuture();
		runCallbacks();
		failing.frame = "ask";
		other.close();
		runCallbacks();
		assertThat(failing.frame).as("has failed").isEmpty();
		assertThat(future).failsWithin(Duration.ZERO)
			.withThrowableOfType(ExecutionException.class)
			.withCause(FailingClock.ERROR);
		assertThat(engine.isIdle()).isTrue();
		assertThat(this.elsewhere.tryAcquire(four.waitAtMost(Duration.ZERO))).isPresent();
		assertThat(observed).as("what never joined ends too").endsWith("refused d CANCELLED");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "a,b" })
	void acquireWhenItFailsAfterACommandWasAcceptedThenItIsExecuted(String keys) {
		FailingClock failing = new FailingClock(this.clock);
		LockEngine engine = new LockEngine(
				new EngineContext(failing.byCallers(new InMemoryLockStore(this.server)), LockSettings.DEFAULTS, failing,
						"fails", LockTemplates.DEFAULT, LockObserver.NONE, this.callbacks::add, () -> 0.5));
		LockRequest request = LockRequest.ofAll(List.of(keys.split(","))).waitAtMost(Duration.ofHours(1));
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> engine.acquire(request));
		runCallbacks();
		assertThat(failing.executed).as("accepted and executed").isEqualTo(1);
		for (int second = 0; second < 60; second++) {
			this.clock.moveTo(this.clock.nanoTime() + Duration.ofSeconds(1).toNanos());
			engine.housekeeper().visitDue(this.clock.nanoTime());
			runCallbacks();
		}
		assertThat(engine.isIdle()).as("ended with its lease").isTrue();
		assertThat(this.elsewhere.tryAcquire(request.waitAtMost(Duration.ZERO))).isPresent();
	}

	private static LockObserver observer(List<String> observed) {
		return new EachObserved(() -> new AcquisitionObserver() {

			@Override
			public void refused(LockRefused refused) {
				observed.add("refused " + refused.key() + " " + refused.reason());
			}

		});
	}

	/** Fails once, as a thread without memory or stack might anywhere. */
	private static final class FailingClock implements LockClock {

		private static final Error ERROR = new StackOverflowError("test");

		private final LockClock clock;

		/** The method that is to fail; empty for none. */
		private String frame = "";

		private boolean armed;

		private int executed;

		FailingClock(LockClock clock) {
			this.clock = clock;
		}

		/** A store whose command for a key makes the next caller fail. */
		LockStore armedBy(String key, LockStore store) {
			return new DelegatingLockStore(store) {

				@Override
				public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
					FailingClock.this.armed = !FailingClock.this.frame.isEmpty() && command.key().equals(key);
					return super.acquire(command, caller);
				}

			};
		}

		/** A store whose command the calling thread executes, after it has failed. */
		LockStore byCallers(LockStore store) {
			return new DelegatingLockStore(store) {

				@Override
				public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
					CompletableFuture<AcquireResult> answer = new CompletableFuture<>() {

						@Override
						public CompletableFuture<AcquireResult> whenComplete(
								BiConsumer<? super AcquireResult, ? super Throwable> action) {
							super.whenComplete(action);
							throw ERROR;
						}

					};
					boolean accepted = caller.offer(() -> {
						FailingClock.this.executed++;
						answer.complete(store.acquire(command).toCompletableFuture().join());
					});
					return accepted ? answer : store.acquire(command);
				}

			};
		}

		@Override
		public long nanoTime() {
			if (this.armed && isIn(this.frame)) {
				this.armed = false;
				this.frame = "";
				throw ERROR;
			}
			return this.clock.nanoTime();
		}

		private static boolean isIn(String method) {
			return StackWalker.getInstance()
				.walk((frames) -> frames.filter((frame) -> OF_A_KEY.matcher(frame.getClassName()).matches())
					.findFirst()
					.filter((frame) -> frame.getMethodName().equals(method))
					.isPresent());
		}

		@Override
		public Instant instant() {
			return this.clock.instant();
		}

		@Override
		public void park(long nanosToWait) {
			this.clock.park(nanosToWait);
		}

	}

}
