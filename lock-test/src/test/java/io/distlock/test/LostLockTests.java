package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.ClockJump;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockExpiringException;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockOverrun;
import io.distlock.LockRequest;
import io.distlock.LossReason;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Which notifications come of locks that are lost, or held too long. On virtual time. */
class LostLockTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final LockRequest REQUEST = LockRequest.of("stock:42").calledFrom("StockService.deduct");

	private final LossWorld world = new LossWorld();

	@AfterEach
	void close() {
		this.world.close();
	}

	@Test
	void storyWhenTheStoreWasAwayThenCompleteInText() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		this.world.clock.advance(Duration.ofSeconds(12));
		this.world.loseAll();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close)
			.withMessageMatching("Lock 'stock:42' was lost: its lease ended before a renewal was confirmed; "
					+ "acquired 2026-01-01T00:00:00.*Z, last confirmed 2026-01-01T00:00:(09\\.|10).*Z, "
					+ "lost 2026-01-01T00:00:(39|40).*Z, lease 30s, fencing token \\d+, "
					+ "held by StockService.deduct, thread '" + Thread.currentThread().getName() + "'")
			.satisfies((loss) -> assertThat(loss.loss()).isEqualTo(this.world.witness.awaitLost()));
	}

	@Test
	void storyWhenTheStoreForgotThenTakenOrVanished() {
		LockHandle renewed = this.world.template.acquire(REQUEST);
		forget();
		this.world.clock.advance(Duration.ofSeconds(11));
		LockLoss taken = this.world.witness.awaitLost();
		assertThat(taken.reason()).isEqualTo(LossReason.TAKEN);
		assertThat(taken.describe())
			.contains("was lost: the store no longer knew this hold when it was to be renewed; acquired ");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(renewed::close)
			.satisfies((loss) -> assertThat(loss.loss()).isEqualTo(taken));
	}

	@Test
	void storyWhenForgottenBeforeTheReleaseThenVanishedAndTold() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		forget();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close)
			.withMessageStartingWith("Lock 'stock:42' was lost: the store no longer knew this hold when it was "
					+ "released, though its lease was not over; acquired ")
			.satisfies((loss) -> assertThat(loss.reason()).isEqualTo(LossReason.VANISHED))
			.satisfies((loss) -> assertThat(loss.loss()).isEqualTo(this.world.witness.awaitLost()));
	}

	@Test
	void failedOverWhenTheNewServerDoesNotKnowTheHoldThenLostAtOnce() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		forget();
		this.world.store.failOver();
		this.world.clock.advance(Duration.ofMillis(10));
		assertThat(this.world.witness.awaitLost().reason()).isEqualTo(LossReason.TAKEN);
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void failedOverWhenFixedAndUnknownThenLostAtOnce() {
		LockHandle lock = this.world.template.acquire(REQUEST.leaseFor(Duration.ofSeconds(20)));
		forget();
		this.world.store.failOver();
		this.world.clock.advance(Duration.ofMillis(10));
		assertThat(this.world.witness.awaitLost().reason()).isEqualTo(LossReason.TAKEN);
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void failedOverWhenFixedAndKnownThenEndsWhenItWouldHaveEnded() {
		LockHandle lock = this.world.template.acquire(REQUEST.leaseFor(Duration.ofSeconds(20)));
		this.world.clock.advance(Duration.ofSeconds(5));
		Duration before = lock.remaining();
		this.world.store.failOver();
		this.world.clock.advance(Duration.ofMillis(10));
		assertThat(this.world.store.count(Verb.RENEW)).isEqualTo(1);
		assertThat(lock.remaining()).isBetween(before.minusMillis(100), before);
		this.world.clock.advance(Duration.ofSeconds(15));
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.world.store.count(Verb.RENEW)).isEqualTo(1);
	}

	/** The store's clock leaps over the lease and back: the hold is over and swept. */
	private void forget() {
		this.world.storeClock.step(Duration.ofMinutes(1));
		this.world.elsewhere.acquire(REQUEST).close();
		this.world.storeClock.step(Duration.ofMinutes(-1));
	}

	@ParameterizedTest
	@EnumSource
	void reasonsAreClauses(LossReason reason) {
		assertThat(reason.description()).isNotBlank().doesNotEndWith(".").matches("(the|its) .*");
	}

	@Test
	void storyWhenAcquiredAsynchronouslyThenNoThreadIsNamed() {
		this.world.template.acquireAsync(REQUEST).toCompletableFuture().join();
		this.world.loseAll();
		assertThat(this.world.witness.awaitLost().thread()).isEqualTo("async");
	}

	@Test
	void ensureHeldWhenLessIsLeftThenSaysSoWithoutAskingTheStore() {
		LockHandle lock = this.world.template.acquire(REQUEST.leaseFor(Duration.ofSeconds(10)));
		int commands = this.world.store.count();
		lock.ensureHeld(Duration.ofMillis(9900));
		this.world.clock.advance(Duration.ofSeconds(4));
		lock.ensureHeld(Duration.ofSeconds(5));
		lock.ensureHeld(Duration.ZERO);
		assertThatExceptionOfType(LockExpiringException.class).isThrownBy(() -> lock.ensureHeld(Duration.ofSeconds(6)))
			.withMessageMatching("Lock 'stock:42' is held for 59\\d\\d ms more only, unless it is renewed; "
					+ "6000 ms were asked for")
			.satisfies((ex) -> assertThat(ex.key()).isEqualTo("stock:42"))
			.satisfies((ex) -> assertThat(ex.remaining()).isEqualTo(lock.remaining()));
		assertThat(lock.isHeld()).isTrue();
		this.world.clock.advance(Duration.ofSeconds(6));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.ensureHeld(Duration.ZERO));
		assertThat(this.world.store.count()).isEqualTo(commands);
	}

	@Test
	void ensureHeldWhenClosedThenIllegalState() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		lock.close();
		assertThatIllegalStateException().isThrownBy(() -> lock.ensureHeld(Duration.ZERO));
	}

	@Test
	void heldTooLongWhenOverMaxHoldThenToldOnceWithTheStackTraceAndRenewedOn() throws Exception {
		CountDownLatch leave = new CountDownLatch(1);
		FutureTask<Object> worker = TestThreads.inWaitingThread(() -> {
			try (LockHandle lock = this.world.template.acquire(REQUEST.maxHold(Duration.ofSeconds(45)))) {
				leave.await();
				return null;
			}
		});
		this.world.clock.advance(Duration.ofMillis(44_900));
		assertThat(this.world.witness.heldTooLong).isEmpty();
		this.world.clock.advance(Duration.ofMillis(110));
		LockOverrun story = this.world.witness.awaitLongHold();
		assertThat(story.describe()).startsWith("Lock 'stock:42' is held for more than 45s (max hold) by "
				+ "StockService.deduct, thread 'worker', since 2026-01-01T00:00:00");
		assertThat(story.stackTrace()).anyMatch((frame) -> frame.getMethodName().equals("await"));
		assertThat(story.acquiredAt()).isEqualTo(START);
		this.world.clock.advance(Duration.ofMinutes(5));
		assertThat(this.world.elsewhere.tryAcquire(REQUEST)).as("renewed all the same").isEmpty();
		leave.countDown();
		TestThreads.get(worker);
		assertThat(this.world.witness.heldTooLong).hasSize(1);
		assertThat(this.world.witness.lost).isEmpty();
	}

	@Test
	void heldTooLongWhenNotHeldThatLongThenNotTold() {
		for (int i = 0; i < 3; i++) {
			LockHandle lock = this.world.template.acquire(REQUEST.maxHold(Duration.ofSeconds(2)));
			this.world.clock.advance(Duration.ofSeconds(1));
			lock.close();
		}
		this.world.clock.advance(Duration.ofSeconds(10));
		assertThat(this.world.template.isIdle()).isTrue();
		assertThat(this.world.witness.heldTooLong).isEmpty();
	}

	@Test
	void maxHoldWhenNotPositiveThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a").maxHold(Duration.ZERO))
			.withMessageStartingWith("Max hold of lock 'a' must be more than 0, was 0s. ");
		assertThatIllegalArgumentException().isThrownBy(() -> REQUEST.maxHold(Duration.ofMillis(-1)));
	}

	@Test
	void listenerWhenItFailsThenStillToldOfTheNext() {
		ClockJump jump = new ClockJump("default", Duration.ofSeconds(-2));
		AtomicReference<Integer> calls = new AtomicReference<>(0);
		this.world.witness.onLost = (hold) -> {
			calls.updateAndGet((count) -> count + 1);
			throw new IllegalStateException("a listener that fails: " + jump);
		};
		this.world.template.acquire(REQUEST);
		this.world.template.acquire("stock:43");
		this.world.loseAll();
		Awaitility.await().until(() -> calls.get() == 2);
	}

	@Test
	void shutdownWhenStillHeldThenTheLossIsToldAtTheDeadlineNotBefore() throws Exception {
		CountDownLatch told = new CountDownLatch(1);
		long before = housekeepers();
		LockHandle lock = this.world.template.acquire(REQUEST);
		lock.onLost((lost) -> told.countDown());
		FutureTask<Boolean> closing = TestThreads
			.inWaitingThread(() -> this.world.template.shutdown(Duration.ofSeconds(2)));
		this.world.clock.advance(Duration.ofSeconds(3));
		assertThat(TestThreads.get(closing)).isFalse();
		int commands = this.world.store.count();
		this.world.clock.advance(Duration.ofSeconds(26));
		assertThat(lock.isHeld()).as("the body may still end in time").isTrue();
		assertThat(told.getCount()).isOne();
		this.world.clock.advance(Duration.ofSeconds(1));
		told.await();
		assertThat(this.world.witness.awaitLost().reason()).isEqualTo(LossReason.EXPIRED);
		assertThat(this.world.store.count()).as("the store is not asked any more").isEqualTo(commands);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		this.world.clock.advance(Duration.ofSeconds(2));
		Awaitility.await().until(() -> housekeepers() < before);
	}

	private static long housekeepers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> "distributed-lock-housekeeper".equals(thread.getName()))
			.count();
	}

	@Test
	void shutdownWhenSomeHoldAndOthersWaitThenWithinBounds() throws Exception {
		LockHandle stuck = this.world.elsewhere.acquire("busy");
		LockHandle held = this.world.template.acquire(REQUEST);
		FutureTask<Object> waiting = waiter("busy");
		FutureTask<Object> waitingHere = waiter("stock:42");
		this.world.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		FutureTask<Boolean> closing = TestThreads
			.inWaitingThread(() -> this.world.template.shutdown(Duration.ofSeconds(10)));
		for (FutureTask<Object> queued : List.of(waiting, waitingHere)) {
			assertThat(TestThreads.get(queued)).isExactlyInstanceOf(LockException.class);
		}
		this.world.clock.advance(Duration.ofMillis(11_100));
		assertThat(TestThreads.get(closing)).as("the grace and a command timeout").isFalse();
		assertThat(held.isHeld()).isTrue();
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> this.world.template.acquire("other"))
			.isNotInstanceOf(LockBusyException.class);
		stuck.close();
	}

	private FutureTask<Object> waiter(String key) {
		return TestThreads.inWaitingThread(() -> {
			try {
				return this.world.template.acquire(LockRequest.of(key).waitAtMost(Duration.ofMinutes(5)));
			}
			catch (LockException ex) {
				return ex;
			}
		});
	}

}
