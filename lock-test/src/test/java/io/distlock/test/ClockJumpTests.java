package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import io.distlock.ClockJump;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LossReason;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.distlock.test.TestThreads.inWaitingThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Clocks that go on without the others. On virtual time. */
class ClockJumpTests {

	private static final LockRequest REQUEST = LockRequest.of("stock:42");

	private final LossWorld world = new LossWorld();

	@AfterEach
	void close() {
		this.world.close();
	}

	/** The machine sleeps: its monotonic clock stands still, the world goes on. */
	private void suspend(Duration duration) {
		this.world.clock.stepWallClock(duration);
		this.world.storeClock.step(duration);
	}

	@Test
	void machineWhenSuspendedForLongerThanTheLeaseThenLostAtTheFirstLook() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		suspend(Duration.ofHours(8));
		assertThat(this.world.elsewhere.tryAcquire(REQUEST)).as("others go on").isPresent();
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
			.withMessageStartingWith("Lock 'stock:42' was lost: its lease ended while this machine was suspended or "
					+ "its clock was set forward; acquired 2026-01-01T00:00:00");
		assertThat(lock.remaining()).isZero();
	}

	@Test
	void machineWhenSuspendedThenToldWithinASecondUnasked() throws Exception {
		CountDownLatch told = new CountDownLatch(1);
		LockHandle lock = this.world.template.acquire(REQUEST);
		lock.onLost((lost) -> told.countDown());
		this.world.clock.advance(Duration.ofSeconds(1));
		suspend(Duration.ofMinutes(1));
		// Unlike advancing, this wakes only those whose time has come.
		this.world.clock.skip(Duration.ofMillis(1100));
		told.await();
		assertThat(this.world.witness.awaitLost().reason()).isEqualTo(LossReason.SUSPENDED);
		ClockJump jump = this.world.witness.awaitJump();
		assertThat(jump).isEqualTo(new ClockJump("default", Duration.ofMinutes(1)));
		assertThat(jump.describe()).startsWith("The wall clock of this machine went 60000 ms further than its "
				+ "monotonic clock: it was suspended, or its clock was set.");
		assertThat(this.world.store.count(Verb.RENEW)).isZero();
	}

	@Test
	void machineWhenSuspendedForAMomentThenRenewedAtOnceAndKept() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		// The first look has it renewed, perhaps before its caller learns of it.
		CompletableFuture<Void> told = new CompletableFuture<>();
		this.world.store.beforeAnswer(Verb.RENEW, told::join);
		suspend(Duration.ofSeconds(5));
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(25));
		told.complete(null);
		this.world.clock.advance(Duration.ofMillis(10));
		assertThat(this.world.store.count(Verb.RENEW)).isOne();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(29));
		this.world.clock.advance(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.world.witness.jumps).hasSize(1);
	}

	@Test
	void machineWhenSuspendedWithARenewalUnderWayThenItsAnswerIsNotBelievedTooLong() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		this.world.store.beforeAnswer(Verb.RENEW, () -> suspend(Duration.ofSeconds(25)));
		this.world.clock.advance(Duration.ofMillis(10_001));
		assertThat(lock.remaining()).as("25 s of it were slept through").isLessThanOrEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void storeClockWhenSetBackBeforeTheAnswerToARepetitionThenAFixedLeaseIsNotBelievedForLonger() throws Exception {
		Duration lease = Duration.ofSeconds(10);
		this.world.store.inject(Verb.ACQUIRE, Fault.BREAK_AFTER);
		FutureTask<LockHandle> acquiring = inWaitingThread(
				() -> this.world.template.acquire(REQUEST.leaseFor(lease).waitAtMost(Duration.ofSeconds(1))));
		this.world.storeClock.step(Duration.ofSeconds(-3));
		this.world.store.heal();
		while (!acquiring.isDone()) {
			this.world.clock.advance(Duration.ofMillis(10));
		}
		assertThat(acquiring.get().remaining()).isPositive().isLessThanOrEqualTo(lease);
	}

	@Test
	void wallClockWhenSetForwardThenLocksAreRenewedNotLost() {
		LockHandle renewed = this.world.template.acquire(REQUEST);
		LockHandle fixed = this.world.template.acquire(LockRequest.of("fixed").leaseFor(Duration.ofSeconds(60)));
		this.world.clock.stepWallClock(Duration.ofSeconds(20));
		this.world.clock.advance(Duration.ofMillis(1100));
		assertThat(renewed.remaining()).isGreaterThan(Duration.ofSeconds(29).minusMillis(200));
		assertThat(fixed.remaining()).as("believed for less, to be safe").isLessThan(Duration.ofSeconds(39));
		this.world.clock.advance(Duration.ofSeconds(35));
		assertThat(fixed.isHeld()).isTrue();
		assertThat(renewed.isHeld()).isTrue();
		assertThat(this.world.witness.lost).isEmpty();
	}

	@Test
	void wallClockWhenSetForwardAndTheStoreIsAwayThenLostWhenTheWallTimeSaysSo() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		this.world.clock.stepWallClock(Duration.ofSeconds(20));
		this.world.clock.advance(Duration.ofSeconds(9));
		assertThat(lock.isHeld()).isTrue();
		this.world.clock.advance(Duration.ofSeconds(1));
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void wallClockWhenSetBackThenNotedOnly() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		this.world.clock.stepWallClock(Duration.ofHours(-1));
		this.world.clock.advance(Duration.ofMillis(1100));
		ClockJump jump = this.world.witness.awaitJump();
		assertThat(jump.describe())
			.isEqualTo("The wall clock of this machine was set back by 3600000 ms; locks do not depend on it");
		assertThat(this.world.store.count(Verb.RENEW)).isZero();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(28));
		this.world.clock.advance(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.world.witness.jumps).hasSize(1);
	}

	@Tag("ci")
	@Test
	void wallClockWhenItDriftsThenNothing() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		for (int i = 0; i < 40; i++) {
			this.world.clock.stepWallClock(Duration.ofMillis((i < 20) ? 90 : -90));
			this.world.clock.advance(Duration.ofSeconds(100));
		}
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.world.witness.jumps).isEmpty();
	}

	@Test
	void wallClockWhenSteppedALittleThenNothing() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		for (int i = 0; i < 100; i++) {
			this.world.clock.stepWallClock(Duration.ofMillis((i % 2 == 0) ? 500 : -500));
			this.world.clock.advance(Duration.ofMillis(1500));
		}
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.world.witness.jumps).isEmpty();
	}

	@Test
	void machineWhenItNapsOftenThenTheNapsAddUp() {
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		LockHandle lock = this.world.template.acquire(REQUEST);
		for (int i = 0; i < 22; i++) {
			suspend(Duration.ofMillis(500));
			this.world.clock.advance(Duration.ofSeconds(1));
		}
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.world.witness.awaitLost().reason()).isEqualTo(LossReason.SUSPENDED);
	}

	@Test
	void wallClockWhenIdleForLongThenItsDriftIsNoJump() {
		this.world.clock.skip(Duration.ofHours(5));
		this.world.clock.stepWallClock(Duration.ofSeconds(9));
		LockHandle lock = this.world.template.acquire(REQUEST);
		this.world.clock.advance(Duration.ofSeconds(3));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.world.witness.jumps).isEmpty();
	}

	@Test
	void machineWhenSuspendedBeforeTheLockWasTakenThenTheLockIsSafe() {
		suspend(Duration.ofHours(8));
		LockHandle lock = this.world.template.acquire(REQUEST);
		this.world.clock.advance(Duration.ofSeconds(3));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.world.witness.lost).isEmpty();
	}

	@Test
	void storeClockWhenItJumpsByLessThanTwoThirdsOfTheLeaseThenTheLockIsKept() {
		LockHandle lock = this.world.template.acquire(REQUEST);
		this.world.storeClock.step(Duration.ofSeconds(19));
		this.world.clock.advance(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.world.witness.jumps).isEmpty();
	}

	@Test
	void storeClockWhenItJumpsOverTheLeaseThenTaken() {
		this.world.template.acquire(REQUEST);
		this.world.storeClock.step(Duration.ofHours(1));
		this.world.clock.advance(Duration.ofMillis(10_100));
		assertThat(this.world.witness.awaitLost().reason()).isEqualTo(LossReason.TAKEN);
	}

}
