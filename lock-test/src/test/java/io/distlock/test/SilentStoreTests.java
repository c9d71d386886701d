package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.support.FutureFailures;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A store that hangs costs each caller one command timeout, however many keys the call is
 * about and however many callers wait. On virtual time, so the bounds are exact.
 */
class SilentStoreTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	/** How late the housekeeper may be. */
	private static final Duration ROUND = Duration.ofMillis(10);

	/** How often a waiting process asks, and how often readers ask who waits. */
	private static final Duration POLL = Duration.ofMillis(500);

	private static final Duration SHORT = Duration.ofSeconds(5);

	private static final Duration LONG = Duration.ofMinutes(10);

	private static final LockRequest PERMIT = LockRequest.of("tax-office").permits(2).waitAtMost(LONG);

	private static final LockRequest LOCK = LockRequest.of("tax-office").waitAtMost(LONG);

	private final LossWorld world = new LossWorld();

	@AfterEach
	void closeWorld() {
		this.world.close();
	}

	private static LockRequest keys(int count) {
		return LockRequest.ofAll(IntStream.range(0, count).mapToObj((key) -> "%03d".formatted(key)).toList())
			.waitAtMost(LONG);
	}

	/** The store is there for everybody but this process. */
	private void silence() {
		this.world.store.injectAll(Fault.LOSE_COMMAND);
	}

	/** How long a call of a thread takes, in virtual time. */
	private Duration timeOf(Callable<?> call) throws Exception {
		long begin = this.world.clock.nanoTime();
		TestThreads.Task<Long> task = TestThreads.inWaitingThread(() -> {
			call.call();
			return this.world.clock.nanoTime();
		});
		return Duration.ofNanos(TestThreads.get(passTimeUntilDone(task)) - begin);
	}

	private TestThreads.Task<Long> passTimeUntilDone(TestThreads.Task<Long> task) {
		for (int i = 0; i < 1000 && !task.isDone(); i++) {
			this.world.clock.advance(Duration.ofMillis(100));
		}
		return task;
	}

	/** Waits for stages as time passes, and for the threads that complete them. */
	private void awaitAll(List<? extends CompletionStage<?>> stages, Duration limit) {
		this.world.clock.advance(limit);
		assertThat(Pause.atMost(Duration.ofSeconds(10),
				() -> stages.stream().allMatch((stage) -> stage.toCompletableFuture().isDone())))
			.as("all of %d are done after %s", stages.size(), limit)
			.isTrue();
	}

	/**
	 * Waits until answers that callbacks have in their hands are handled: what is due
	 * next is planned then. Such a thread sleeps with a limit only if it has nothing to
	 * do.
	 */
	private static void awaitCallbacks() {
		assertThat(Pause.atMost(Duration.ofSeconds(10),
				() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.filter((thread) -> thread.getName().equals("distributed-lock-callback"))
					.allMatch((thread) -> thread.getState() == Thread.State.TIMED_WAITING)))
			.isTrue();
	}

	private static <T> List<T> times(int count, Supplier<T> supplier) {
		return Stream.generate(supplier).limit(count).toList();
	}

	private static Throwable failure(CompletionStage<?> stage) {
		return FutureFailures.unwrap(catchThrowable(stage.toCompletableFuture()::join));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 100 })
	void closeThenOneTimeoutForAllKeys(int count) throws Exception {
		LockHandle locks = this.world.template.acquire(keys(count));
		silence();
		assertThat(timeOf(() -> {
			locks.close();
			return null;
		})).isEqualTo(TIMEOUT);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 100 })
	void closeAsyncThenOneTimeoutForAllKeys(int count) {
		LockHandle locks = this.world.template.acquire(keys(count));
		silence();
		CompletionStage<Void> closed = locks.closeAsync();
		this.world.clock.advance(TIMEOUT.minusMillis(1));
		assertThat(closed.toCompletableFuture()).isNotDone();
		awaitAll(List.of(closed), ROUND);
		assertThat(closed.toCompletableFuture()).isCompleted();
		assertThat(this.world.template.isIdle()).as("the release is repeated").isFalse();
		this.world.store.heal();
		this.world.clock.advance(TIMEOUT.plus(ROUND));
		assertThat(this.world.template.isIdle()).isTrue();
		assertThat(this.world.elsewhere.tryAcquire(keys(count).waitAtMost(Duration.ZERO))).isPresent();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 100 })
	void executeAsyncThenTheResultComesAfterOneTimeout(int count) {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletionStage<String> result = this.world.template.executeAsync(keys(count), (lock) -> work);
		assertThat(Pause.atMost(Duration.ofSeconds(10), () -> work.getNumberOfDependents() > 0)).isTrue();
		silence();
		work.complete("done");
		awaitAll(List.of(result), TIMEOUT.plus(ROUND));
		assertThat(result.toCompletableFuture()).isCompletedWithValue("done");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 100 })
	void acquireWhenTheLastIsBusyThenGivingBackCostsNothingMore(int count) throws Exception {
		LockHandle busy = this.world.elsewhere.acquire(LockRequest.of("last"));
		LockRequest all = LockRequest.ofAll(Stream.concat(keys(count).keys().stream(), Stream.of("last")).toList())
			.waitAtMost(SHORT);
		List<Throwable> thrown = new ArrayList<>();
		Duration time = timeOf(() -> {
			silence();
			this.world.store.inject(Verb.ACQUIRE, Fault.LOSE_COMMAND);
			return thrown.add(catchThrowable(() -> this.world.template.acquire(all)));
		});
		assertThat(thrown).hasOnlyElementsOfType(LockStoreException.class);
		assertThat(time).isBetween(TIMEOUT, TIMEOUT.plus(ROUND));
		this.world.store.heal();
		TestThreads.Task<Long> waiting = TestThreads.inWaitingThread(() -> {
			thrown.add(catchThrowable(() -> this.world.template.acquire(all)));
			return this.world.clock.nanoTime();
		});
		this.world.clock.advance(Duration.ofMillis(700));
		long begin = this.world.clock.nanoTime();
		silence();
		assertThat(Duration.ofNanos(TestThreads.get(passTimeUntilDone(waiting)) - begin))
			.isLessThanOrEqualTo(SHORT.plus(ROUND));
		assertThat(thrown.get(1)).isInstanceOf(LockStoreException.class);
		busy.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 100 })
	void acquireAsyncWhenTheLastIsBusyThenGivingBackCostsNothingMore(int count) {
		this.world.elsewhere.acquire(LockRequest.of("last"));
		LockRequest all = LockRequest.ofAll(Stream.concat(keys(count).keys().stream(), Stream.of("last")).toList())
			.waitAtMost(SHORT);
		CompletionStage<LockHandle> waiting = this.world.template.acquireAsync(all);
		// The last is tried after the others, and waited for.
		assertThat(Pause.atMost(Duration.ofSeconds(10), () -> this.world.store.count(Verb.ACQUIRE) == count + 1))
			.isTrue();
		awaitCallbacks();
		silence();
		awaitAll(List.of(waiting), SHORT.plus(ROUND));
		assertThat(failure(waiting)).isInstanceOf(LockStoreException.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 100 })
	void acquireWhenOnlyGivingBackHangsThenOneTimeoutForAllKeys(int count) throws Exception {
		this.world.elsewhere.acquire(LockRequest.of("last"));
		LockRequest all = LockRequest.ofAll(Stream.concat(keys(count).keys().stream(), Stream.of("last")).toList())
			.waitAtMost(Duration.ZERO);
		this.world.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		List<Throwable> thrown = new ArrayList<>();
		assertThat(timeOf(() -> thrown.add(catchThrowable(() -> this.world.template.acquire(all))))).isEqualTo(TIMEOUT);
		assertThat(thrown).hasOnlyElementsOfType(LockBusyException.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 40, 400 })
	void acquireOfPermitsThenAllFailTogether(int callers) {
		silence();
		List<CompletionStage<LockHandle>> all = times(callers, () -> this.world.template.acquireAsync(PERMIT));
		awaitAll(all, TIMEOUT.plus(ROUND));
		assertThat(all).allSatisfy((one) -> assertThat(failure(one)).isInstanceOf(LockStoreException.class));
	}

	@Test
	void acquireOfPermitsWhenOneIsHeldHereThenTheLineFailsAllTheSame() {
		this.world.template.acquire(PERMIT);
		silence();
		List<CompletionStage<LockHandle>> all = times(40, () -> this.world.template.acquireAsync(PERMIT));
		awaitAll(all, TIMEOUT.plus(ROUND));
		assertThat(all).allSatisfy((one) -> assertThat(failure(one)).isInstanceOf(LockStoreException.class));
	}

	@Test
	void acquireOfPermitsInThreadsThenAllFailTogether() throws Exception {
		silence();
		List<Duration> times = new ArrayList<>();
		List<TestThreads.Task<Duration>> all = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			all.add(TestThreads.inWaitingThread(() -> {
				assertThat(catchThrowable(() -> this.world.template.acquire(PERMIT)))
					.isInstanceOf(LockStoreException.class);
				return Duration.ofNanos(this.world.clock.nanoTime());
			}));
		}
		this.world.clock.advance(TIMEOUT.plus(ROUND));
		for (TestThreads.Task<Duration> one : all) {
			times.add(TestThreads.get(one));
		}
		assertThat(times).allSatisfy((time) -> assertThat(time).isBetween(TIMEOUT, TIMEOUT.plus(ROUND)));
	}

	/** It waits on, as the store may come back within its time. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void acquireWhenTheStoreHangsWhileAThreadIsInLineThenItGetsTheLock(boolean permits) throws Exception {
		LockRequest request = permits ? PERMIT.permits(1) : LOCK;
		LockHandle busy = this.world.elsewhere.acquire(request);
		TestThreads.Task<Long> waiting = TestThreads.inWaitingThread(() -> {
			this.world.template.acquire(request).close();
			return this.world.clock.nanoTime();
		});
		this.world.clock.advance(Duration.ofSeconds(1));
		silence();
		this.world.clock.advance(TIMEOUT.multipliedBy(20));
		assertThat(waiting.isDone()).isFalse();
		this.world.store.heal();
		busy.closeAsync();
		this.world.clock.advance(TIMEOUT.multipliedBy(2));
		TestThreads.get(waiting);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 40, 400 })
	void acquireThenAllFailTogether(int callers) {
		silence();
		List<CompletionStage<LockHandle>> all = times(callers, () -> this.world.template.acquireAsync(LOCK));
		awaitAll(all, TIMEOUT.plus(ROUND));
		assertThat(all).allSatisfy((one) -> assertThat(failure(one)).isInstanceOf(LockStoreException.class));
	}

	/** The store has to say whether the writer still waits. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 40, 400 })
	void acquireSharedBehindAWriterElsewhereThenAllFailTogether(int callers) {
		LockRequest reader = LOCK.mode(LockMode.SHARED);
		this.world.template.acquire(reader);
		CompletionStage<LockHandle> writer = this.world.elsewhere.acquireAsync(LOCK);
		this.world.clock.advance(POLL);
		silence();
		List<CompletionStage<LockHandle>> all = times(callers, () -> this.world.template.acquireAsync(reader));
		awaitAll(all, POLL.plus(TIMEOUT).plus(ROUND));
		assertThat(all).allSatisfy((one) -> assertThat(failure(one)).isInstanceOf(LockStoreException.class));
		writer.toCompletableFuture().cancel(false);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 100 })
	void closeOfTheTemplateThenOneTimeoutForAllReleases(int count) throws Exception {
		LockHandle locks = this.world.template.acquire(keys(count));
		silence();
		locks.closeAsync();
		assertThat(timeOf(() -> {
			this.world.template.close();
			return null;
		})).isLessThanOrEqualTo(TIMEOUT.plus(ROUND));
	}

}
