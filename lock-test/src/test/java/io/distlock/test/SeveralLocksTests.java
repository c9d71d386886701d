package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.OnLost;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Several locks at once, all or none. On virtual time. */
class SeveralLocksTests {

	private static final LockRequest ALL = LockRequest.ofAll(List.of("c", "a", "b", "a"));

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration LONG = Duration.ofMinutes(10);

	private final LossWorld world = new LossWorld();

	@AfterEach
	void closeWorld() {
		this.world.close();
	}

	@Test
	void ofAllThenSortedAndEachOnce() {
		assertThat(ALL.keys()).containsExactly("a", "b", "c");
		assertThat(ALL.key()).isEqualTo("a, b, c");
		assertThat(ALL.waitAtMost(SECOND).keys()).containsExactly("a", "b", "c");
		assertThat(ALL.waitAtMost(SECOND).forKey("a").waitTime()).contains(SECOND);
		assertThat(LockRequest.ofAll(List.of("a", "a")).keys()).containsExactly("a");
	}

	@Test
	void ofAllWhenSomethingIsMissingThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.ofAll(List.of()))
			.withMessage("There must be at least one lock key: nothing would be locked");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.ofAll(List.of("a", " ")))
			.withMessageStartingWith("Lock key 2 of 2 must not be blank, was ' '");
	}

	@Test
	void acquireThenHoldsAllAndReleasesAll() {
		LockHandle all = this.world.template.acquire(ALL);
		assertThat(all.key()).isEqualTo("a, b, c");
		assertThat(all.parts()).extracting(LockHandle::key).containsExactly("a", "b", "c");
		assertThat(all.isHeld()).isTrue();
		assertThat(all.remaining()).isGreaterThan(Duration.ofSeconds(29));
		assertThat(List.of("a", "b", "c")).allMatch(this::takenElsewhere);
		assertThat(this.world.store.count(Verb.ACQUIRE)).isEqualTo(3);
		all.close();
		all.close();
		assertThat(List.of("a", "b", "c")).noneMatch(this::takenElsewhere);
		assertThat(all.isHeld()).isFalse();
		assertThat(all.remaining()).isZero();
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void acquireWhenThereIsOneKeyThenAsUsual() {
		try (LockHandle lock = this.world.template.acquire(LockRequest.ofAll(List.of("a", "a")))) {
			assertThat(lock.fencingToken()).isPositive();
			assertThat(lock.parts()).containsExactly(lock);
		}
	}

	@Test
	void fencingTokenThenOnlyOfTheParts() {
		try (LockHandle all = this.world.template.acquire(ALL)) {
			assertThatIllegalStateException().isThrownBy(all::fencingToken)
				.withMessage("There is no one fencing token for the locks 'a, b, c': each has its own. "
						+ "Take those of parts(), or fence each resource by the lock that protects it");
			assertThat(all.parts()).allMatch((part) -> part.fencingToken() > 0);
		}
	}

	@Test
	void acquireWhenOneIsBusyThenNamesItAndHoldsNone() {
		LockHandle other = this.world.elsewhere.acquire("b");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.world.template.acquire(ALL))
			.withMessageStartingWith("Lock 'b' is busy")
			.satisfies((ex) -> assertThat(ex.key()).isEqualTo("b"));
		assertThat(this.world.store.count(Verb.ACQUIRE)).as("not asked for the last").isEqualTo(2);
		assertThat(takenElsewhere("a")).isFalse();
		assertThat(this.world.template.tryAcquire(ALL)).isEmpty();
		assertThat(takenElsewhere("a")).isFalse();
		assertThat(this.world.template.isIdle()).isTrue();
		other.close();
	}

	@Test
	void acquireWhenAllAreBusyForSomeTimeThenOneDeadlineForAll() throws Exception {
		LockHandle a = this.world.elsewhere.acquire("a");
		LockHandle b = this.world.elsewhere.acquire("b");
		long begun = this.world.clock.nanoTime();
		FutureTask<Long> waiting = TestThreads.inWaitingThread(() -> {
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> this.world.template.acquire(ALL.waitAtMost(Duration.ofSeconds(10))))
				.withMessageStartingWith("Lock 'b' is busy: not acquired within 10");
			return this.world.clock.nanoTime() - begun;
		});
		this.world.clock.advance(Duration.ofSeconds(6));
		a.close();
		this.world.clock.advance(Duration.ofSeconds(3));
		assertThat(waiting).isNotDone();
		this.world.clock.advance(SECOND.plusMillis(10));
		assertThat(Duration.ofNanos(TestThreads.get(waiting))).isBetween(Duration.ofSeconds(10),
				Duration.ofMillis(10_010));
		assertThat(takenElsewhere("a")).isFalse();
		b.close();
	}

	@Test
	void acquireWhenTheStoreFailsForOneThenHoldsNone() {
		this.world.store.beforeAnswer(Verb.ACQUIRE, () -> this.world.store.inject(Verb.ACQUIRE, Fault.REFUSE));
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.world.template.acquire(ALL))
			.withMessageContaining("'b'");
		this.world.store.heal();
		assertThat(takenElsewhere("a")).isFalse();
	}

	@Test
	void acquireWhenInterruptedThenHoldsNoneAndKeepsTheFlag() throws Exception {
		LockHandle b = this.world.elsewhere.acquire("b");
		Thread[] waiter = new Thread[1];
		FutureTask<Boolean> waiting = TestThreads.inWaitingThread(() -> {
			waiter[0] = Thread.currentThread();
			assertThatExceptionOfType(LockInterruptedException.class)
				.isThrownBy(() -> this.world.template.acquire(ALL.waitAtMost(Duration.ofSeconds(10))));
			return Thread.currentThread().isInterrupted();
		});
		waiter[0].interrupt();
		assertThat(TestThreads.get(waiting)).isTrue();
		assertThat(takenElsewhere("a")).isFalse();
		b.close();
	}

	@Test
	void acquireWhenTheMinimumHoldIsSetThenWhatIsGivenBackIsFreeAtOnce() {
		LockRequest least = ALL.holdAtLeast(Duration.ofSeconds(10));
		LockHandle other = this.world.elsewhere.acquire("b");
		assertThat(this.world.template.tryAcquire(least)).isEmpty();
		assertThat(takenElsewhere("a")).isFalse();
		assertThat(this.world.template.acquireAsync(least).toCompletableFuture()).failsWithin(Duration.ofSeconds(10));
		assertThat(takenElsewhere("a")).isFalse();
		other.close();
		this.world.template.acquire(least).close();
		assertThat(List.of("a", "b", "c")).allMatch(this::takenElsewhere);
		this.world.clock.advance(Duration.ofMillis(10_010));
		assertThat(List.of("a", "b", "c")).noneMatch(this::takenElsewhere);
	}

	@Test
	void acquireWhenNestedThenGivingBackLeavesTheOuterOneAndItsMinimum() {
		LockHandle other = this.world.elsewhere.acquire("b");
		LockHandle outer = this.world.template.acquire(LockRequest.of("a").holdAtLeast(Duration.ofSeconds(10)));
		assertThat(this.world.template.tryAcquire(ALL)).isEmpty();
		assertThat(outer.isHeld()).isTrue();
		outer.close();
		assertThat(takenElsewhere("a")).isTrue();
		other.close();
	}

	@Test
	void ensureHeldWhenOneIsLostThenThrowsForItAndTellsOnce() {
		LockHandle all = this.world.template.acquire(ALL);
		List<LockHandle> told = new ArrayList<>();
		all.onLost(told::add);
		this.world.loseAll();
		Awaitility.await().until(() -> !told.isEmpty());
		assertThat(all.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(all::ensureHeld)
			.satisfies((ex) -> assertThat(ex.key()).isEqualTo("a"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(all::close)
			.satisfies((ex) -> assertThat(ex.key()).isEqualTo("c"))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).extracting((other) -> ((LockLostException) other).key())
				.containsExactly("b", "a"));
		assertThat(told).containsExactly(all);
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenOneIsLostThenTheOthersAreReleasedAllTheSame() {
		LockHandle all = this.world.template.acquire(ALL);
		LockHandle last = all.parts().get(2);
		last.close();
		this.world.storeClock.step(Duration.ofSeconds(31));
		LockHandle taken = this.world.elsewhere.acquire("b");
		this.world.clock.advance(Duration.ofSeconds(11));
		assertThat(all.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(all::close);
		assertThat(this.world.template.isIdle()).isTrue();
		taken.close();
	}

	@Test
	void executeThenTheContextHasEachOfThem() {
		this.world.template.run(ALL, (lock) -> {
			assertThat(LockContext.current()).containsSame(lock);
			assertThat(LockContext.all()).extracting(LockHandle::key).containsExactly("a", "b", "c");
			assertThatIllegalStateException().isThrownBy(LockContext::fencingToken);
		});
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void acquireAsyncThenHoldsAllAndReleasesAll() {
		LockHandle all = this.world.template.acquireAsync(ALL).toCompletableFuture().join();
		assertThat(all.parts()).extracting(LockHandle::key).containsExactly("a", "b", "c");
		assertThat(List.of("a", "b", "c")).allMatch(this::takenElsewhere);
		all.closeAsync().toCompletableFuture().join();
		assertThat(List.of("a", "b", "c")).noneMatch(this::takenElsewhere);
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void acquireAsyncWhenOneStaysBusyThenOneDeadlineAndHoldsNone() {
		LockHandle a = this.world.elsewhere.acquire("a");
		LockHandle b = this.world.elsewhere.acquire("b");
		CompletableFuture<LockHandle> waiting = this.world.template.acquireAsync(ALL.waitAtMost(Duration.ofSeconds(10)))
			.toCompletableFuture();
		this.world.clock.advance(Duration.ofSeconds(6));
		int asked = this.world.store.count(Verb.ACQUIRE);
		a.close();
		Awaitility.await().until(() -> this.world.store.count(Verb.ACQUIRE) > asked);
		this.world.clock.advance(Duration.ofSeconds(3));
		assertThat(waiting).isNotDone();
		this.world.clock.advance(SECOND.plusMillis(50));
		assertThat(waiting).failsWithin(Duration.ofSeconds(10))
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(LockBusyException.class)
			.withMessageContaining("Lock 'b' is busy: not acquired within 10");
		assertThat(takenElsewhere("a")).isFalse();
		b.close();
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void acquireAsyncWhenCancelledThenHoldsNone() {
		LockHandle b = this.world.elsewhere.acquire("b");
		CompletableFuture<LockHandle> waiting = this.world.template.acquireAsync(ALL.waitAtMost(Duration.ofSeconds(10)))
			.toCompletableFuture();
		awaitWaitingForB();
		waiting.cancel(false);
		Awaitility.await().until(() -> !takenElsewhere("a"));
		b.close();
		this.world.clock.advance(SECOND);
		assertThat(takenElsewhere("b")).isFalse();
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void closeAsyncWhenLostThenFailsWithTheFirstAndTheOthersSuppressed() {
		LockHandle all = this.world.template.acquireAsync(ALL).toCompletableFuture().join();
		this.world.loseAll();
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> all.closeAsync().toCompletableFuture().join())
			.withCauseInstanceOf(LockLostException.class)
			.satisfies((ex) -> assertThat(ex.getCause().getSuppressed()).hasSize(2));
	}

	@Test
	void acquireWhenOneIsLostWhileWaitingForAnotherThenLostAndHoldsNone() throws Exception {
		LockHandle b = this.world.elsewhere.acquire("b");
		FutureTask<Throwable> waiting = TestThreads.inWaitingThread(() -> catchThrowable(
				() -> this.world.template.acquire(ALL.waitAtMost(LONG).leaseFor(Duration.ofSeconds(5)))));
		this.world.clock.advance(Duration.ofSeconds(6));
		b.close();
		this.world.clock.advance(SECOND);
		assertThat(TestThreads.get(waiting)).isInstanceOf(LockLostException.class)
			.satisfies((ex) -> assertThat(((LockLostException) ex).key()).isEqualTo("a"));
		assertThat(List.of("a", "b", "c")).noneMatch(this::takenElsewhere);
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void tryAcquireWhenOneIsLostWhileWaitingForAnotherThenLostAndHoldsNone() throws Exception {
		LockHandle b = this.world.elsewhere.acquire("b");
		FutureTask<Throwable> waiting = TestThreads
			.inWaitingThread(() -> catchThrowable(() -> this.world.template.tryAcquire(ALL.waitAtMost(LONG))));
		this.world.loseAll();
		b.close();
		this.world.clock.advance(SECOND);
		assertThat(TestThreads.get(waiting)).isInstanceOf(LockLostException.class);
		assertThat(List.of("a", "b", "c")).noneMatch(this::takenElsewhere);
	}

	@Test
	void acquireWhenOneIsLostAndThatInterruptsThenLostAtOnceAndTheFlagIsClear() throws Exception {
		LockHandle b = this.world.elsewhere.acquire("b");
		FutureTask<Boolean> waiting = TestThreads.inWaitingThread(() -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.world.template.acquire(ALL.waitAtMost(LONG).onLost(OnLost.INTERRUPT)))
				.satisfies((ex) -> assertThat(ex.key()).isEqualTo("a"));
			return Thread.currentThread().isInterrupted();
		});
		this.world.loseAll();
		assertThat(TestThreads.get(waiting)).isFalse();
		assertThat(takenElsewhere("a")).isFalse();
		b.close();
		this.world.clock.advance(SECOND);
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void acquireAsyncWhenOneIsLostWhileWaitingForAnotherThenLostAndHoldsNone() {
		LockHandle b = this.world.elsewhere.acquire("b");
		CompletableFuture<LockHandle> waiting = this.world.template
			.acquireAsync(ALL.waitAtMost(LONG).leaseFor(Duration.ofSeconds(5)))
			.toCompletableFuture();
		awaitWaitingForB();
		this.world.clock.advance(Duration.ofSeconds(6));
		b.close();
		this.world.clock.advance(SECOND);
		assertThat(waiting).failsWithin(Duration.ofSeconds(10))
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(LockLostException.class)
			.withMessageContaining("'a'");
		Awaitility.await().until(this.world.template::isIdle);
		assertThat(List.of("a", "b", "c")).noneMatch(this::takenElsewhere);
	}

	/** Others had a while the caller waited for b, so b is not all there is to tell. */
	@Test
	void acquireWhenOneIsLostAndAnotherStaysBusyThenLost() throws Exception {
		LockHandle b = this.world.elsewhere.acquire("b");
		LockRequest request = ALL.waitAtMost(Duration.ofSeconds(10)).leaseFor(Duration.ofSeconds(5));
		FutureTask<Throwable> waiting = TestThreads
			.inWaitingThread(() -> catchThrowable(() -> this.world.template.acquire(request)));
		this.world.clock.advance(Duration.ofSeconds(11));
		assertThat(TestThreads.get(waiting)).isInstanceOf(LockLostException.class).hasMessageContaining("'a'");
		FutureTask<Throwable> trying = TestThreads
			.inWaitingThread(() -> catchThrowable(() -> this.world.template.tryAcquire(request)));
		this.world.clock.advance(Duration.ofSeconds(11));
		assertThat(TestThreads.get(trying)).isInstanceOf(LockLostException.class).hasMessageContaining("'a'");
		assertThat(List.of("a", "c")).noneMatch(this::takenElsewhere);
		b.close();
	}

	@Test
	void acquireAsyncWhenOneIsLostAndAnotherStaysBusyThenLost() {
		LockHandle b = this.world.elsewhere.acquire("b");
		CompletableFuture<LockHandle> waiting = this.world.template
			.acquireAsync(ALL.waitAtMost(Duration.ofSeconds(10)).leaseFor(Duration.ofSeconds(5)))
			.toCompletableFuture();
		awaitWaitingForB();
		this.world.clock.advance(Duration.ofSeconds(11));
		assertThat(waiting).failsWithin(Duration.ofSeconds(10))
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(LockLostException.class)
			.withMessageContaining("'a'");
		assertThat(List.of("a", "c")).noneMatch(this::takenElsewhere);
		b.close();
	}

	private void awaitWaitingForB() {
		Awaitility.await().until(() -> this.world.store.count(Verb.ACQUIRE) == 2);
	}

	private boolean takenElsewhere(String key) {
		Optional<LockHandle> lock = this.world.elsewhere.tryAcquire(LockRequest.of(key).waitAtMost(Duration.ZERO));
		lock.ifPresent(LockHandle::close);
		return lock.isEmpty();
	}

}
