package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** A lock that stays taken after its body. On virtual time. */
class MinimumHoldTests {

	private static final LockRequest JOB = LockRequest.of("job").waitAtMost(Duration.ZERO);

	private static final LockRequest TEN_SECONDS = JOB.holdAtLeast(Duration.ofSeconds(10));

	private static final LockRequest TWO_MINUTES = JOB.holdAtLeast(Duration.ofMinutes(2));

	private final LossWorld world = new LossWorld();

	@AfterEach
	void closeWorld() {
		this.world.close();
	}

	@Test
	void closeWhenEarlyThenTakenForTheRestAndFreeAfterwards() {
		LockHandle lock = this.world.template.acquire(TEN_SECONDS);
		this.world.clock.advance(Duration.ofSeconds(4));
		lock.close();
		assertThat(lock.isHeld()).isFalse();
		this.world.clock.advance(Duration.ofMillis(5990));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(20));
		assertThat(takenElsewhere()).isFalse();
		assertThat(this.world.template.isIdle()).isTrue();
		assertThat(this.world.store.count(Verb.FINISH)).isOne();
		assertThat(this.world.store.count(Verb.RENEW)).isZero();
		assertThat(this.world.witness.lost).isEmpty();
	}

	@Test
	void closeWhenLateThenFreeAtOnce() {
		LockHandle lock = this.world.template.acquire(TEN_SECONDS);
		this.world.clock.advance(Duration.ofSeconds(10));
		lock.close();
		assertThat(takenElsewhere()).isFalse();
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenLongerThanTheLeaseThenTheStoreKeepsItByItself() {
		this.world.template.acquire(TWO_MINUTES).close();
		this.world.clock.advance(Duration.ofMillis(119_990));
		assertThat(takenElsewhere()).isTrue();
		assertThat(this.world.store.count(Verb.FINISH)).isOne();
		assertThat(this.world.store.count(Verb.RENEW)).isZero();
		this.world.clock.advance(Duration.ofMillis(20));
		assertThat(takenElsewhere()).isFalse();
		assertThat(this.world.witness.lost).isEmpty();
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenTheLeaseIsFixedAndShortThenTakenForTheRestAllTheSame() {
		this.world.template.acquire(TEN_SECONDS.leaseFor(Duration.ofSeconds(2))).close();
		this.world.clock.advance(Duration.ofMillis(9990));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(20));
		assertThat(takenElsewhere()).isFalse();
		assertThat(this.world.witness.lost).isEmpty();
	}

	@Test
	void acquireWhenKeptThenBusyForTheSameThreadToo() {
		this.world.template.acquire(TEN_SECONDS.calledFrom("Job.run")).close();
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.world.template.acquire(JOB))
			.withMessageContaining("Job.run");
	}

	@Test
	void acquireWhenItWaitsThenItGetsTheLockWhenTheTimeIsOver() throws Exception {
		this.world.template.acquire(TEN_SECONDS).close();
		long begun = this.world.clock.nanoTime();
		FutureTask<Duration> waiting = TestThreads.inWaitingThread(() -> {
			try (LockHandle lock = this.world.template.acquire(JOB.waitAtMost(Duration.ofMinutes(1)))) {
				assertThat(lock.isHeld()).isTrue();
				return Duration.ofNanos(this.world.clock.nanoTime() - begun);
			}
		});
		this.world.clock.advance(Duration.ofSeconds(11));
		assertThat(TestThreads.get(waiting)).isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_100));
	}

	@Test
	void acquireWhenSharedThenRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.world.template.acquire(TEN_SECONDS.mode(LockMode.SHARED)))
			.withMessageContaining("cannot have a minimum hold: it is shared with others");
	}

	@Test
	void closeWhenNestedThenOnlyTheLastHandleCounts() {
		LockHandle outer = this.world.template.acquire(TEN_SECONDS);
		LockHandle inner = this.world.template.acquire(JOB);
		inner.close();
		assertThat(outer.isHeld()).isTrue();
		assertThat(this.world.template.tryAcquire(JOB)).as("still nested").hasValueSatisfying(LockHandle::close);
		outer.close();
		assertThat(this.world.template.tryAcquire(JOB)).isEmpty();
	}

	@Test
	void closeAsyncWhenEarlyThenDoneAtOnceAndTaken() {
		LockHandle lock = this.world.template.acquireAsync(TEN_SECONDS).toCompletableFuture().join();
		assertThat(lock.closeAsync().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(10_010));
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void closeWhenTheProcessEndsThenTheStoreKeepsItForTheRest() throws Exception {
		this.world.template.acquire(TWO_MINUTES).close();
		long begun = this.world.clock.nanoTime();
		FutureTask<Boolean> closing = TestThreads
			.inWaitingThread(() -> this.world.template.shutdown(Duration.ofSeconds(10)));
		assertThat(TestThreads.get(closing)).as("nothing is held").isTrue();
		assertThat(this.world.clock.nanoTime()).as("nobody waited").isEqualTo(begun);
		this.world.clock.advance(Duration.ofSeconds(119));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofSeconds(2));
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void closeWhenShorterThanTheLeaseAndTheProcessEndsThenFreeAfterTheRest() throws Exception {
		LockHandle lock = this.world.template.acquire(TEN_SECONDS);
		this.world.clock.advance(Duration.ofSeconds(1));
		lock.close();
		FutureTask<Boolean> closing = TestThreads
			.inWaitingThread(() -> this.world.template.shutdown(Duration.ofSeconds(10)));
		assertThat(TestThreads.get(closing)).as("nothing is held").isTrue();
		this.world.clock.advance(Duration.ofMillis(8990));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(20));
		assertThat(takenElsewhere()).as("though its lease is 30 s").isFalse();
	}

	@Test
	void closeWhenTheReleaseGetsLostThenItIsRepeatedWithWhatIsLeft() {
		LockHandle lock = this.world.template.acquire(TWO_MINUTES);
		this.world.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		lock.closeAsync();
		this.world.clock.advance(Duration.ofSeconds(5));
		this.world.store.heal();
		this.world.clock.advance(Duration.ofSeconds(114));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(1010));
		assertThat(takenElsewhere()).isFalse();
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void acquireWhenTheReleaseGetsLostThenItDoesNotOvertakeIt() {
		LockHandle lock = this.world.template.acquire(TEN_SECONDS);
		this.world.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		lock.closeAsync();
		assertThat(this.world.template.tryAcquire(JOB)).isEmpty();
		this.world.store.heal();
		CompletionStage<LockHandle> waiting = this.world.template.acquireAsync(JOB.waitAtMost(Duration.ofMinutes(1)));
		this.world.clock.advance(Duration.ofMillis(9990));
		assertThat(waiting.toCompletableFuture()).isNotDone();
		this.world.clock.advance(Duration.ofMillis(110));
		// Another thread completes it, so the clock alone does not say when.
		assertThat(waiting.toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20)).matches(LockHandle::isHeld);
	}

	@Test
	void closeWhenTheStoreIsNeverReachedThenItEndsWithTheLeaseAndThatIsNoLoss() {
		LockHandle lock = this.world.template.acquire(TWO_MINUTES);
		this.world.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		lock.closeAsync();
		this.world.clock.advance(Duration.ofSeconds(29));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofSeconds(60));
		this.world.store.heal();
		assertThat(takenElsewhere()).isFalse();
		assertThat(this.world.template.tryAcquire(JOB)).hasValueSatisfying(LockHandle::close);
		assertThat(this.world.witness.lost).isEmpty();
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenTheStoreHasLostItThenThatIsToldAndItIsFree() {
		LockHandle lock = this.world.template.acquire(TWO_MINUTES);
		this.world.storeClock.step(Duration.ofSeconds(31));
		assertThat(takenElsewhere()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		assertThat(this.world.template.tryAcquire(JOB)).hasValueSatisfying(LockHandle::close);
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void heldTooLongWhenKeptThenNotTold() {
		this.world.template.acquire(TWO_MINUTES.maxHold(Duration.ofSeconds(5))).close();
		CompletionStage<LockHandle> waiting = this.world.template.acquireAsync(JOB.waitAtMost(Duration.ofMinutes(1)));
		this.world.clock.advance(Duration.ofSeconds(119));
		assertThat(waiting.toCompletableFuture()).as("somebody looked after it").failsWithin(Duration.ofSeconds(10));
		assertThat(this.world.witness.heldTooLong).isEmpty();
	}

	@Test
	void unlockWhenKeptThenTheThreadDoesNotHoldIt() {
		this.world.template.acquire(TEN_SECONDS).close();
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.world.template.getLock("job").unlock());
	}

	@Test
	void holdAtLeastThenCountsFromNow() {
		LockHandle lock = this.world.template.acquire(JOB);
		this.world.clock.advance(Duration.ofSeconds(4));
		lock.holdAtLeast(Duration.ofSeconds(10));
		this.world.clock.advance(Duration.ofSeconds(3));
		lock.close();
		this.world.clock.advance(Duration.ofMillis(6990));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(20));
		assertThat(takenElsewhere()).isFalse();
		assertThat(this.world.store.count(Verb.FINISH)).isOne();
		assertThat(this.world.witness.lost).isEmpty();
	}

	@Test
	void holdAtLeastWhenThereIsALongerMinimumThenThatCounts() {
		LockHandle lock = this.world.template.acquire(TEN_SECONDS);
		lock.holdAtLeast(Duration.ofSeconds(5));
		lock.holdAtLeast(Duration.ZERO);
		lock.close();
		this.world.clock.advance(Duration.ofMillis(9990));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(20));
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void holdAtLeastWhenAnotherThreadOfThisProcessWaitsThenItIsNotHandedOver() {
		LockHandle lock = this.world.template.acquire(JOB);
		CompletionStage<LockHandle> waiting = this.world.template.acquireAsync(JOB.waitAtMost(Duration.ofMinutes(1)));
		lock.holdAtLeast(Duration.ofSeconds(10));
		lock.close();
		this.world.clock.advance(Duration.ofMillis(9990));
		assertThat(waiting.toCompletableFuture()).isNotDone();
		this.world.clock.advance(Duration.ofMillis(110));
		// Another thread completes it, so the clock alone does not say when.
		assertThat(waiting.toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20)).matches(LockHandle::isHeld);
	}

	@Test
	void holdAtLeastWhenNestedThenTheLastHandleKeepsIt() {
		LockHandle outer = this.world.template.acquire(JOB);
		LockHandle inner = this.world.template.acquire(JOB);
		inner.holdAtLeast(Duration.ofSeconds(10));
		inner.close();
		outer.close();
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(10_010));
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void holdAtLeastWhenItAlsoReadsThenItStaysExclusive() {
		LockHandle writing = this.world.template.acquire(JOB);
		LockHandle reading = this.world.template.acquire(JOB.mode(LockMode.SHARED));
		writing.holdAtLeast(Duration.ofSeconds(10));
		writing.close();
		assertThat(this.world.elsewhere.tryAcquire(JOB.mode(LockMode.SHARED))).isEmpty();
		reading.close();
		assertThat(takenElsewhere()).isTrue();
	}

	@Test
	void holdAtLeastWhenSeveralLocksThenEachIsKept() {
		try (LockHandle both = this.world.template
			.acquire(LockRequest.ofAll(List.of("job", "other")).waitAtMost(Duration.ZERO))) {
			both.holdAtLeast(Duration.ofSeconds(10));
		}
		assertThat(takenElsewhere()).isTrue();
		assertThat(this.world.elsewhere.tryAcquire("other")).isEmpty();
	}

	@Test
	void holdAtLeastWhenSharedOrAPermitThenRefused() {
		try (LockHandle reader = this.world.template.acquire(JOB.mode(LockMode.SHARED));
				LockHandle permit = this.world.template.acquire(LockRequest.permit("gate", 2))) {
			assertThatIllegalStateException().isThrownBy(() -> reader.holdAtLeast(Duration.ofSeconds(1)))
				.withMessage("Lock 'job' cannot have a minimum hold: it is shared with others");
			assertThatIllegalStateException().isThrownBy(() -> permit.holdAtLeast(Duration.ofSeconds(1)));
		}
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void holdAtLeastWhenNotHeldOrOutOfRangeThenRefused() {
		LockHandle lock = this.world.template.acquire(JOB.leaseFor(Duration.ofSeconds(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> lock.holdAtLeast(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> lock.holdAtLeast(LockRequest.MAX_LEASE.plus(Duration.ofMillis(1))));
		this.world.clock.advance(Duration.ofSeconds(2));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.holdAtLeast(Duration.ofSeconds(1)));
		LockHandle closed = this.world.template.acquire(JOB);
		closed.close();
		assertThatIllegalStateException().isThrownBy(() -> closed.holdAtLeast(Duration.ofSeconds(1)));
		assertThat(takenElsewhere()).isFalse();
	}

	private boolean takenElsewhere() {
		Optional<LockHandle> lock = this.world.elsewhere.tryAcquire(JOB);
		lock.ifPresent(LockHandle::close);
		return lock.isEmpty();
	}

}
