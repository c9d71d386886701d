package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.distlock.test.TestThreads.awaitWaiting;
import static io.distlock.test.TestThreads.get;
import static io.distlock.test.TestThreads.inThread;
import static io.distlock.test.TestThreads.inWaitingThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The part of {@link LockTemplateContract} about {@link Lock}. */
@SuppressWarnings({ "NullAway", "resource" })
abstract class JavaLockContract extends TemplateContractPart {

	JavaLockContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest waiting() {
		return waiting(request());
	}

	@Test
	@DisplayName("excludes, is reentrant, and is released by the last unlock")
	void lockWhenReentrantThenReleasedByLastUnlock() throws Exception {
		CloseableLockTemplate one = template();
		Lock lock = one.getLock(key());
		Lock elsewhere = template().getLock(key());
		lock.lock();
		assertThat(lock.tryLock()).isTrue();
		lock.lockInterruptibly();
		assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
		for (int i = 0; i < 4; i++) {
			assertThat(elsewhere.tryLock()).isFalse();
			lock.unlock();
		}
		assertThat(elsewhere.tryLock()).isTrue();
		elsewhere.unlock();
	}

	@Test
	@DisplayName("refuses an unlock by a thread that does not hold it")
	void unlockWhenStrangerThenIllegalMonitorState() throws Exception {
		Lock lock = template().getLock(key());
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		lock.lock();
		get(inThread(() -> {
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock)
				.withMessage("Lock '" + key() + "' is not held by thread '" + Thread.currentThread().getName() + "'");
			return null;
		}));
		lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
	}

	@Test
	@DisplayName("has no conditions")
	void newConditionThenUnsupported() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> template().getLock(key()).newCondition());
	}

	@Test
	@DisplayName("lock() goes on waiting when interrupted, any number of times, and keeps the flag")
	void lockWhenInterruptedThenWaitsAndKeepsFlag() throws Exception {
		Lock elsewhere = template().getLock(key());
		Lock lock = template().getLock(key());
		elsewhere.lock();
		TestThreads.Task<Boolean> waiter = inThread(() -> {
			lock.lock();
			lock.unlock();
			return Thread.currentThread().isInterrupted();
		});
		for (int i = 0; i < 3; i++) {
			awaitWaiting(waiter.thread());
			waiter.thread().interrupt();
		}
		awaitWaiting(waiter.thread());
		assertThat(waiter.isDone()).isFalse();
		elsewhere.unlock();
		assertThat(get(waiter)).isTrue();
	}

	@Test
	@DisplayName("lock() with the flag set locks, and keeps the flag")
	void lockWhenFlagSetThenLocksAndKeepsFlag() {
		Lock lock = template().getLock(key());
		Thread.currentThread().interrupt();
		lock.lock();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(lock.tryLock()).isTrue();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		lock.unlock();
		lock.unlock();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	@DisplayName("lockInterruptibly() and tryLock(time) throw when the flag is set, and clear it")
	void lockInterruptiblyWhenFlagSetThenThrows() {
		Lock lock = template().getLock(key());
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
		assertThat(Thread.interrupted()).isFalse();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
	}

	@Test
	@DisplayName("lockInterruptibly() and tryLock(time) end when interrupted while waiting")
	void lockInterruptiblyWhenInterruptedThenThrows() throws Exception {
		Lock elsewhere = template().getLock(key());
		Lock lock = template().getLock(key());
		elsewhere.lock();
		List<Callable<Object>> calls = List.of(() -> {
			lock.lockInterruptibly();
			return null;
		}, () -> lock.tryLock(LONG.toMillis(), TimeUnit.MILLISECONDS));
		for (Callable<Object> call : calls) {
			AtomicReference<Boolean> flag = new AtomicReference<>();
			TestThreads.Task<Object> waiter = inThread(() -> {
				assertThatExceptionOfType(InterruptedException.class).isThrownBy(call::call);
				flag.set(Thread.currentThread().isInterrupted());
				return null;
			});
			awaitWaiting(waiter.thread());
			waiter.thread().interrupt();
			get(waiter);
			assertThat(flag).hasValue(false);
		}
		elsewhere.unlock();
		assertThat(elsewhere.tryLock(LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
		elsewhere.unlock();
	}

	@Test
	@DisplayName("tryLock(time) never takes longer than asked and one round trip, also behind local waiters")
	void tryLockWhenBusyThenInTime() throws Exception {
		Lock elsewhere = template().getLock(key());
		Lock lock = template().getLock(key());
		elsewhere.lock();
		inWaitingThread(() -> lock.tryLock(LONG.toMillis(), TimeUnit.MILLISECONDS));
		long begun = System.nanoTime();
		Duration behind = timed(() -> {
			assertThat(lock.tryLock(300, TimeUnit.MILLISECONDS)).isFalse();
			return null;
		});
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(299));
		assertThat(behind).isLessThanOrEqualTo(Duration.ofMillis(300).plus(ROUND_TRIP));
		Duration atOnce = timed(() -> {
			assertThat(lock.tryLock()).isFalse();
			return null;
		});
		assertThat(atOnce).isLessThan(ROUND_TRIP);
		elsewhere.unlock();
	}

	@Test
	@DisplayName("tells a thread that lost it at unlock, once")
	void unlockWhenLostThenLockLost() {
		FaultyLockStore store = new FaultyLockStore(templates().newStore());
		CloseableLockTemplate one = templates().template(store, RENEWED_SOON);
		Lock lock = one.getLock(key());
		lock.lock();
		store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
		if (templates().freesLostLocks()) {
			CloseableLockTemplate two = template();
			two.acquire(waiting()).close();
		}
		else {
			assertThat(Pause.atMost(TestThreads.LIMIT, () -> !one.isHeldByCurrentThread(key()))).isTrue();
		}
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock)
			.withMessageStartingWith(
					"Lock '" + key() + "' was lost: its lease ended before a renewal was confirmed; acquired ");
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		Awaitility.await().until(one::isIdle);
	}

}
