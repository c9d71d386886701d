package io.distlock.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A lock that stays taken after its body. On virtual time. */
class MinimumHoldTests {

	private static final LockRequest JOB = LockRequest.of("job").waitAtMost(Duration.ZERO);

	private static final LockRequest TEN_SECONDS = JOB.holdAtLeast(Duration.ofSeconds(10));

	private static final LockRequest TWO_MINUTES = JOB.holdAtLeast(Duration.ofMinutes(2));

	private final LossWorld world = new LossWorld(Runnable::run, UnaryOperator.identity());

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
		assertThat(this.world.store.count(Verb.RENEW)).as("told once").isOne();
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
	void closeWhenLongerThanTheLeaseThenTheStoreIsToldOnce() {
		this.world.template.acquire(TWO_MINUTES).close();
		this.world.clock.advance(Duration.ofMillis(119_990));
		assertThat(takenElsewhere()).isTrue();
		assertThat(this.world.store.count(Verb.RENEW)).isEqualTo(1);
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
		assertThat(lock.closeAsync().toCompletableFuture()).isCompleted();
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
	void closeWhenTheStoreIsNotReachedThenWarnedOnlyIfOthersMayComeBefore() {
		assertThat(warningsWithoutStore(TWO_MINUTES, Duration.ofMinutes(2))).containsOnlyOnce(
				"could not extend the lease to the minimum hold; another process may acquire the lock early");
		assertThat(warningsWithoutStore(TEN_SECONDS, Duration.ofSeconds(10))).as("the lease is longer").isEmpty();
	}

	private String warningsWithoutStore(LockRequest request, Duration time) {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger("io.distlock");
		log.start();
		logger.addAppender(log);
		try {
			this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
			this.world.template.acquire(request).close();
			this.world.clock.advance(time.plusMillis(10));
			this.world.store.heal();
			assertThat(takenElsewhere()).isFalse();
		}
		finally {
			logger.detachAppender(log);
		}
		return log.list.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.WARN))
			.map(ILoggingEvent::getFormattedMessage)
			.collect(Collectors.joining("\n"));
	}

	@Test
	void closeWhenTheStoreIsNotReachedThenItIsToldAgainThoughTheThreadHasEnded() throws Exception {
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		TestThreads.get(TestThreads.inWaitingThread(() -> {
			this.world.template.acquire(TWO_MINUTES).close();
			return null;
		}));
		this.world.clock.advance(Duration.ofSeconds(5));
		this.world.store.heal();
		this.world.clock.advance(Duration.ofSeconds(114));
		assertThat(takenElsewhere()).isTrue();
		this.world.clock.advance(Duration.ofMillis(1010));
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void closeWhenTheStoreIsNeverReachedThenTakenHereAndThatIsNoLoss() {
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		this.world.template.acquire(TWO_MINUTES).close();
		this.world.clock.advance(Duration.ofSeconds(60));
		this.world.store.heal();
		assertThat(this.world.witness.lost).isEmpty();
		assertThat(this.world.template.tryAcquire(JOB)).as("for as long as it was asked for").isEmpty();
		this.world.clock.advance(Duration.ofMillis(60_010));
		assertThat(this.world.template.tryAcquire(JOB)).hasValueSatisfying(LockHandle::close);
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenARenewalIsUnderWayThenItsAnswerIsNotTakenForTheMinimum() {
		LockHandle lock = this.world.template.acquire(TWO_MINUTES);
		this.world.store.inject(Verb.RENEW, Fault.ANSWER_LATER);
		this.world.clock.advance(Duration.ofSeconds(10));
		assertThat(this.world.store.count(Verb.RENEW)).isPositive();
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		lock.close();
		this.world.store.heal();
		this.world.store.executeLateCopies();
		this.world.clock.advance(Duration.ofSeconds(109));
		assertThat(takenElsewhere()).isTrue();
	}

	@Test
	void closeWhenTheStoreHasLostItThenThatIsToldAndItIsFree() {
		LockHandle lock = this.world.template.acquire(TWO_MINUTES);
		this.world.storeClock.step(Duration.ofSeconds(31));
		assertThat(takenElsewhere()).isFalse();
		this.world.store.inject(Verb.RENEW, Fault.ANSWER_LATER);
		lock.close();
		this.world.store.executeLateCopies();
		assertThat(this.world.witness.awaitLost().key()).isEqualTo("job");
		assertThat(this.world.template.tryAcquire(JOB)).hasValueSatisfying(LockHandle::close);
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void heldTooLongWhenKeptThenNotTold() {
		this.world.template.acquire(TWO_MINUTES.maxHold(Duration.ofSeconds(5))).close();
		CompletionStage<LockHandle> waiting = this.world.template.acquireAsync(JOB.waitAtMost(Duration.ofMinutes(1)));
		this.world.clock.advance(Duration.ofSeconds(119));
		assertThat(waiting.toCompletableFuture()).as("somebody looked after it").isCompletedExceptionally();
		assertThat(this.world.witness.heldTooLong).isEmpty();
	}

	@Test
	void unlockWhenKeptThenTheThreadDoesNotHoldIt() {
		this.world.template.acquire(TEN_SECONDS).close();
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.world.template.getLock("job").unlock());
	}

	private boolean takenElsewhere() {
		Optional<LockHandle> lock = this.world.elsewhere.tryAcquire(JOB);
		lock.ifPresent(LockHandle::close);
		return lock.isEmpty();
	}

}
