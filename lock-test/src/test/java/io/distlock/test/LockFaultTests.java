package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.distlock.test.TestThreads.get;
import static io.distlock.test.TestThreads.inWaitingThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What the engine does when the store misbehaves. */
class LockFaultTests extends AbstractVirtualTimeTests {

	/** How long a thread may take that has all it needs. */
	private static final Duration ANSWER = Duration.ofSeconds(20);

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

	private static final LockRequest REQUEST = LockRequest.of("stock:42");

	private static final LockSettings SETTINGS = LockSettings.builder()
		.waitTime(Duration.ZERO)
		.leaseTime(LEASE)
		.commandTimeout(COMMAND_TIMEOUT)
		.application("shop")
		.host("pod-7")
		.build();

	private final Queue<Runnable> messages = new ConcurrentLinkedQueue<>();

	private volatile boolean delayingMessages;

	LockFaultTests() {
		super(SETTINGS, SETTINGS);
	}

	@Override
	void deliver(Runnable message) {
		if (this.delayingMessages) {
			this.messages.add(message);
		}
		else {
			super.deliver(message);
		}
	}

	private void advanceUntilDone(FutureTask<?> task) {
		while (!task.isDone()) {
			this.clock.advance(Duration.ofMillis(50));
		}
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "LOSE_COMMAND", "LOSE_ANSWER", "BREAK_BEFORE", "BREAK_AFTER" })
	void acquireWhenStoreDoesNotAnswerThenStoreExceptionAfterCommandTimeoutAndNoOrphan(Fault fault) throws Exception {
		this.store.inject(Verb.ACQUIRE, fault);
		AtomicBoolean ran = new AtomicBoolean();
		FutureTask<Object> worker = inWaitingThread(() -> {
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> this.template.run(REQUEST.waitAtMost(LEASE), (lock) -> ran.set(true)));
			return null;
		});
		this.clock.advance(COMMAND_TIMEOUT.minusMillis(10));
		assertThat(worker.isDone()).isFalse();
		this.clock.advance(Duration.ofMillis(100));
		get(worker);
		assertThat(ran).isFalse();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).as("nothing is left of the failed request").isPresent();
		assertThat(this.template.isIdle()).isTrue();
	}

	/** No longer than a command under way and what it may take could last. */
	@ParameterizedTest
	@EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = { "EXECUTE_LATER", "COPY_LATER" })
	void templateWhenStoreNeverAnswersAgainThenForgetsWhatCanNoLongerBeLeftThere(Fault fault) throws Exception {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.injectAll(fault);
		advanceUntilDone(inWaitingThread(() -> {
			lock.close();
			return null;
		}));
		advanceUntilDone(inWaitingThread(() -> {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.template.acquire(REQUEST));
			return null;
		}));
		Duration longest = LEASE.plus(COMMAND_TIMEOUT.multipliedBy(2));
		this.clock.advance(longest.minusMillis(100));
		assertThat(this.template.isIdle()).as("the store may still have it").isFalse();
		this.clock.advance(Duration.ofMillis(200));
		assertThat(this.template.isIdle()).as("nothing can be left anywhere").isTrue();
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "BREAK_BEFORE", "BREAK_AFTER" })
	void acquireWhenConnectionBreaksForAMomentThenAcquired(Fault fault) throws Exception {
		this.store.inject(Verb.ACQUIRE, fault);
		FutureTask<LockHandle> worker = inWaitingThread(() -> this.template.acquire(REQUEST));
		this.clock.advance(Duration.ofMillis(100));
		assertThat(worker.isDone()).isFalse();
		this.store.heal();
		this.clock.advance(Duration.ofMillis(500));
		assertThat(get(worker).isHeld()).isTrue();
	}

	@Test
	void acquireWhenStoreRefusesForGoodThenStoreExceptionAtOnce() {
		this.store.inject(Verb.ACQUIRE, Fault.REFUSE);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.template.acquire(REQUEST))
			.withMessage("The store failed for lock 'stock:42': no permission");
	}

	@Test
	void tryLockWhenStoreHangsThenNeverBusy() throws Exception {
		this.store.inject(Verb.ACQUIRE, Fault.LOSE_COMMAND);
		Lock lock = this.template.getLock("stock:42");
		for (Callable<Boolean> attempt : List.<Callable<Boolean>>of(lock::tryLock,
				() -> lock.tryLock(100, TimeUnit.MILLISECONDS))) {
			FutureTask<Object> worker = inWaitingThread(() -> {
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(attempt::call)
					.withMessage("The store did not answer for lock 'stock:42' within 1000 ms (command timeout); "
							+ "whether the lock is free is not known; the store is the memory of this process");
				return null;
			});
			this.clock.advance(COMMAND_TIMEOUT.plusMillis(10));
			get(worker);
		}
	}

	/** The store has answered, so a text about the command timeout would be false. */
	@Test
	void acquireWhenTheAnswerTakesLongerThanTheLeaseThenSaysSoAndNothingIsHeld() throws Exception {
		this.store.inject(Verb.ACQUIRE, Fault.ANSWER_LATER);
		FutureTask<Object> worker = inWaitingThread(() -> {
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> this.template.acquire(REQUEST.leaseFor(Duration.ofMillis(131))))
				.withMessage("The store granted lock 'stock:42' too late: its lease of 131ms, or the session of this "
						+ "process, was over when the answer arrived. Nothing stays held; use a longer lease if answers "
						+ "may take that long");
			return null;
		});
		this.clock.advance(Duration.ofMillis(200));
		this.store.executeLateCopies();
		get(worker);
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	/** The request in the store carries the lease of the caller that came first. */
	@Test
	void acquireWhenTheShortLeaseOfAnotherCallerIsOverThenAskedAgain() throws Exception {
		this.store.inject(Verb.ACQUIRE, Fault.ANSWER_LATER);
		FutureTask<LockHandle> shortly = inWaitingThread(
				() -> this.template.acquire(REQUEST.leaseFor(Duration.ofMillis(131))));
		FutureTask<LockHandle> alsoShortly = inWaitingThread(
				() -> this.template.acquire(REQUEST.leaseFor(Duration.ofMillis(120))));
		FutureTask<LockHandle> second = inWaitingThread(() -> this.template.acquire(REQUEST));
		FutureTask<Optional<LockHandle>> third = inWaitingThread(() -> this.template.tryAcquire(REQUEST));
		this.clock.advance(Duration.ofMillis(200));
		this.store.executeLateCopies();
		for (FutureTask<LockHandle> failed : List.of(shortly, alsoShortly)) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(failed))
				.withMessageContaining("too late: its lease of 131ms");
		}
		assertThat(second).succeedsWithin(ANSWER).matches(LockHandle::isHeld);
		assertThat(third).succeedsWithin(ANSWER).isEqualTo(Optional.empty());
		get(second).close();
	}

	@Test
	void tryAcquireWhenTheGrantOfACallerThatWaitsIsOverThenBusy() throws Exception {
		this.store.inject(Verb.ACQUIRE, Fault.ANSWER_LATER);
		FutureTask<LockHandle> first = inWaitingThread(
				() -> this.template.acquire(REQUEST.leaseFor(Duration.ofMillis(131)).waitAtMost(LEASE)));
		FutureTask<Optional<LockHandle>> second = inWaitingThread(() -> this.template.tryAcquire(REQUEST));
		this.clock.advance(Duration.ofMillis(200));
		this.store.inject(Verb.ACQUIRE, Fault.LOSE_COMMAND);
		this.store.executeLateCopies();
		assertThat(second).succeedsWithin(ANSWER).isEqualTo(Optional.empty());
		assertThat(first.isDone()).isFalse();
		this.clock.advance(COMMAND_TIMEOUT);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(first));
	}

	@Test
	void tryAcquireWhenTheAnswerThatItIsBusyIsLostThenSaysWhatTheStoreSays() throws Exception {
		LockHandle held = this.elsewhere.acquire(REQUEST);
		this.store.inject(Verb.ACQUIRE, Fault.BREAK_AFTER);
		FutureTask<Object> worker = inWaitingThread(() -> {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.template.tryAcquire(REQUEST))
				.withMessage("The store had ended the request for lock 'stock:42' when it was repeated, because the "
						+ "answer to its refusal or to its release by force was lost; whether the lock is free is not "
						+ "known");
			return null;
		});
		this.clock.advance(Duration.ofMillis(100));
		this.store.heal();
		this.clock.advance(Duration.ofMillis(500));
		get(worker);
		held.close();
	}

	@Test
	void acquireWhenStoreDiesWhileWaitingThenStoreException() throws Exception {
		LockHandle held = this.elsewhere.acquire(REQUEST);
		FutureTask<Object> worker = inWaitingThread(() -> {
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> this.template.acquire(REQUEST.waitAtMost(LEASE)));
			return null;
		});
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(worker.isDone()).isFalse();
		this.store.injectAll(Fault.LOSE_COMMAND);
		this.clock.advance(LEASE.minusSeconds(6));
		assertThat(worker.isDone()).isFalse();
		this.clock.advance(Duration.ofSeconds(2));
		get(worker);
		held.close();
	}

	@Test
	void acquireWhenAnswerIsSlowThenTimeOnTheWayIsLost() {
		this.store.beforeAnswer(Verb.ACQUIRE, () -> this.clock.skip(Duration.ofSeconds(10)));
		LockHandle lock = this.template.acquire(REQUEST);
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(20)).isGreaterThan(Duration.ofSeconds(19));
	}

	@Test
	void acquireWhenLateCopyArrivesThenNoOrphan() {
		this.store.inject(Verb.ACQUIRE, Fault.COPY_LATER);
		this.template.acquire(REQUEST).close();
		this.elsewhere.acquire(REQUEST).close();
		this.store.executeLateCopies();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	@Test
	void waitWhenGrantMessageLostThenFoundByPoll() throws Exception {
		this.store.loseMessages();
		LockHandle held = this.elsewhere.acquire(REQUEST);
		FutureTask<LockHandle> worker = inWaitingThread(() -> this.template.acquire(REQUEST.waitAtMost(LEASE)));
		held.close();
		this.clock.advance(Duration.ofMillis(600));
		assertThat(get(worker).isHeld()).isTrue();
	}

	@Test
	void waitWhenGrantMessageIsSlowThenBeliefEndsWithTheClaimNotLater() throws Exception {
		this.delayingMessages = true;
		LockHandle held = this.elsewhere.acquire(REQUEST);
		FutureTask<LockHandle> worker = inWaitingThread(() -> this.template.acquire(REQUEST.waitAtMost(LEASE)));
		this.store.injectAll(Fault.LOSE_COMMAND);
		held.close();
		this.clock.jump(Duration.ofMillis(400));
		this.messages.forEach(Runnable::run);
		LockHandle granted = get(worker);
		assertThat(granted.isHeld()).isTrue();
		assertThat(granted.remaining()).as("a claim of 8 s, 0.4 s of it gone on the way")
			.isBetween(Duration.ofMillis(7500), Duration.ofMillis(7600));
	}

	@Test
	void waitWhenGrantMessageComesAfterTheClaimThenNotBelieved() throws Exception {
		this.delayingMessages = true;
		LockHandle held = this.elsewhere.acquire(REQUEST);
		FutureTask<LockHandle> worker = inWaitingThread(() -> this.template.acquire(REQUEST.waitAtMost(LEASE)));
		this.store.inject(Verb.ACQUIRE, Fault.LOSE_COMMAND);
		held.close();
		this.clock.jump(Duration.ofSeconds(8));
		LockHandle next = this.elsewhere.acquire(REQUEST);
		this.messages.forEach(Runnable::run);
		assertThat(next.isHeld()).isTrue();
		this.clock.advance(LEASE);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(worker))
			.withCauseInstanceOf(LockStoreException.class);
	}

	@Test
	void waitWhenLeaseIsShorterThanTheClaimThenBeliefEndsWithTheLease() throws Exception {
		LockHandle held = this.elsewhere.acquire(REQUEST);
		LockRequest shortLease = REQUEST.waitAtMost(LEASE).leaseFor(Duration.ofMillis(300));
		AtomicReference<LockHandle> granted = new AtomicReference<>();
		CountDownLatch leave = new CountDownLatch(1);
		FutureTask<Object> worker = inWaitingThread(() -> {
			granted.set(this.template.acquire(shortLease));
			leave.await();
			return null;
		});
		held.close();
		Awaitility.await().until(() -> granted.get() != null);
		this.clock.advance(Duration.ofMillis(200));
		assertThat(granted.get().isHeld()).isTrue();
		this.clock.advance(Duration.ofMillis(110));
		assertThat(granted.get().isHeld()).isFalse();
		this.clock.advance(LEASE);
		assertThat(this.elsewhere.tryAcquire(REQUEST)).as("the claim, which may be longer, is over in the store")
			.isPresent();
		leave.countDown();
		get(worker);
	}

	@Test
	void acquireWhenGrantedTheLongerLeaseOfWhoHasGoneThenAskedForAnew() throws Exception {
		this.store.inject(Verb.ACQUIRE, Fault.BREAK_AFTER);
		CompletableFuture<LockHandle> gone = this.template.acquireAsync(REQUEST.waitAtMost(LEASE))
			.toCompletableFuture();
		CompletableFuture<LockHandle> next = this.template
			.acquireAsync(REQUEST.waitAtMost(LEASE).leaseFor(Duration.ofSeconds(2)))
			.toCompletableFuture();
		gone.cancel(false);
		this.store.heal();
		this.clock.advance(Duration.ofMillis(500));
		assertThat(next.get(10, TimeUnit.SECONDS).isHeld()).isTrue();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).as("the short lease is over in the store").isPresent();
	}

	@Test
	void renewWhenAShorterOneIsExecutedLateThenTheLongerLeaseStays() throws Exception {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.RENEW, Fault.EXECUTE_LATER);
		this.clock.advance(Duration.ofMillis(10_100));
		this.store.heal();
		lock.extend(Duration.ofMinutes(10));
		this.store.executeLateCopies();
		this.clock.jump(LEASE);
		assertThat(lock.isHeld()).as("no renewal shortens a lease").isTrue();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isEmpty();
	}

	@Test
	void acquireWhenAnswersTakeLongerThanTheLeaseThenNoEndlessTries() {
		this.store.beforeAnswer(Verb.ACQUIRE, () -> this.clock.skip(Duration.ofMillis(200)));
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.template.acquire(REQUEST.leaseFor(Duration.ofMillis(100))));
		assertThat(this.store.count(Verb.ACQUIRE)).isOne();
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "THROW", "ANSWER_NOTHING" })
	void acquireWhenStoreBreaksItsContractThenStoreException(Fault fault) {
		this.store.inject(Verb.ACQUIRE, fault);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.template.acquire(REQUEST))
			.withMessageStartingWith("The store failed for lock 'stock:42': ");
		this.store.heal();
		this.template.acquire(REQUEST).close();
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenReleaseIsLostThenNoRenewalAndReleasedAfterwards() throws Exception {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.injectAll(Fault.LOSE_COMMAND);
		FutureTask<Object> worker = inWaitingThread(() -> {
			lock.close();
			return null;
		});
		advanceUntilDone(worker);
		get(worker);
		this.clock.advance(Duration.ofSeconds(15));
		assertThat(this.store.count(Verb.RENEW)).as("a released lock is not renewed").isZero();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isEmpty();
		this.store.heal();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenConnectionBreaksForAMomentThenReleasedWithinTheCommandTimeout() throws Exception {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.BREAK_BEFORE);
		FutureTask<Object> worker = inWaitingThread(() -> {
			lock.close();
			return null;
		});
		this.clock.advance(Duration.ofMillis(100));
		this.store.heal();
		this.clock.advance(Duration.ofMillis(500));
		assertThat(worker.isDone()).isTrue();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	@Test
	void closeWhenStoreStaysDeadThenGivenUpWhenLeaseIsOver() throws Exception {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.injectAll(Fault.BREAK_BEFORE);
		FutureTask<Object> worker = inWaitingThread(() -> {
			lock.close();
			return null;
		});
		advanceUntilDone(worker);
		this.clock.advance(LEASE.plusSeconds(3));
		assertThat(this.template.isIdle()).isTrue();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	@Test
	void renewWhenHeldThenAtAThirdOfTheLease() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.clock.advance(Duration.ofSeconds(9));
		assertThat(this.store.count(Verb.RENEW)).isZero();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.store.count(Verb.RENEW)).isOne();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(28));
		this.clock.advance(Duration.ofMinutes(10));
		assertThat(lock.isHeld()).isTrue();
		lock.close();
		int renewals = this.store.count(Verb.RENEW);
		this.clock.advance(Duration.ofMinutes(10));
		assertThat(this.store.count(Verb.RENEW)).isEqualTo(renewals);
	}

	@Test
	void renewWhenFixedLeaseThenNever() {
		LockHandle lock = this.template.acquire(REQUEST.leaseFor(Duration.ofSeconds(6)));
		this.clock.advance(Duration.ofMillis(5980));
		assertThat(lock.isHeld()).isTrue();
		this.clock.advance(Duration.ofMillis(20));
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.store.count(Verb.RENEW)).isZero();
	}

	@Test
	void renewWhenFailingForAWhileThenStillHeld() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.RENEW, Fault.BREAK_BEFORE);
		this.clock.advance(Duration.ofSeconds(25));
		this.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		this.clock.advance(Duration.ofSeconds(3));
		this.store.heal();
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void renewWhenStoreStaysDeadThenLostAtDeadlineAndReportedEverywhere() throws Exception {
		List<LockHandle> told = new ArrayList<>();
		CountDownLatch callback = new CountDownLatch(1);
		LockHandle lock = this.template.acquire(REQUEST);
		lock.onLost((lost) -> {
			throw new IllegalStateException("a callback that fails must not stop the others");
		});
		lock.onLost((lost) -> {
			told.add(lost);
			callback.countDown();
		});
		this.store.injectAll(Fault.LOSE_ANSWER);
		this.clock.advance(LEASE.minusMillis(100));
		assertThat(lock.isHeld()).isTrue();
		this.clock.advance(Duration.ofMillis(100));
		assertThat(lock.isHeld()).as("answers are lost, so our belief ends first").isFalse();
		assertThat(callback.await(5, TimeUnit.SECONDS)).isTrue();
		assertThat(told).containsExactly(lock);
		this.store.heal();
		this.clock.advance(LEASE);
		assertThat(lock.isHeld()).as("lost for ever").isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close)
			.withMessageMatching("Lock 'stock:42' was lost: its lease ended before a renewal was confirmed; "
					+ "acquired 2026-01-01T00:00:00.*Z, last confirmed 2026-01-01T00:00:00.*Z, "
					+ "lost 2026-01-01T00:00:29\\.9.*Z, lease 30s, fencing token \\d+, held by thread '"
					+ Thread.currentThread().getName() + "'");
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void renewWhenAnswerComesAfterTheDeadlineThenLostAllTheSame() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.beforeAnswer(Verb.RENEW, () -> this.clock.skip(Duration.ofSeconds(25)));
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(lock.isHeld()).as("it was lost for a moment, and stays lost").isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
	}

	@Test
	void closeWhenLostHereButRenewedInTheStoreThenFreeForOthersAtOnce() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.RENEW, Fault.LOSE_ANSWER);
		this.clock.advance(LEASE);
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.template.isIdle()).as("forgotten here").isTrue();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).as("the body still runs").isEmpty();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	@Test
	void isHeldWhenProcessFrozenLongerThanLeaseThenLostBeforeAnybodyElseStarts() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.clock.jump(LEASE.minusMillis(31));
		assertThat(lock.isHeld()).as("0.1 % and 2 ms before the lease ends in the store").isFalse();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isEmpty();
		this.clock.jump(Duration.ofMillis(31));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
		this.clock.advance(LEASE);
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void executeWhenLostThenLockLostUnlessBodyFailed() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.run(REQUEST, (lock) -> this.clock.jump(LEASE)));
		assertThatIllegalStateException().isThrownBy(() -> this.template.run(REQUEST, (lock) -> {
			this.clock.jump(LEASE);
			throw new IllegalStateException("body");
		})).satisfies((ex) -> assertThat(ex.getSuppressed()).hasSize(1).hasOnlyElementsOfType(LockLostException.class));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.template.run(REQUEST, (lock) -> {
			this.clock.jump(LEASE);
			lock.ensureHeld();
		})).satisfies((ex) -> assertThat(ex.getSuppressed()).hasSize(1));
	}

	@Test
	void renewWhenStoreForgotTheLockThenLostAtNextRenewal() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.server.flush();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close)
			.withMessageContaining("the store no longer knew this hold when it was to be renewed");
	}

	@Test
	void closeWhenStoreForgotTheLockThenReported() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.server.flush();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close)
			.withMessageContaining("the store no longer knew this hold when it was released");
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void nestedWhenForLongerThenNoCommandAndTheLeaseIsThatOfTheOutermost() {
		LockHandle outer = this.template.acquire(REQUEST.leaseFor(Duration.ofSeconds(20)));
		int commands = this.store.count();
		for (int depth = 0; depth < 5; depth++) {
			LockHandle nested = this.template.acquire(REQUEST.leaseFor(Duration.ofMinutes(10)));
			assertThat(nested.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(20));
			assertThat(this.template.acquire(REQUEST).isHeld()).isTrue();
		}
		this.clock.advance(Duration.ofSeconds(21));
		assertThat(outer.isHeld()).isFalse();
		assertThat(this.store.count()).isEqualTo(commands);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(outer::close);
	}

	@Test
	void renewWhenOwnerThreadIsDeadThenNotRenewedAndForgotten() throws Exception {
		get(inWaitingThread(() -> this.template.acquire(REQUEST)));
		this.clock.advance(LEASE.plusSeconds(1));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.template.isIdle()).isTrue();
	}

}
