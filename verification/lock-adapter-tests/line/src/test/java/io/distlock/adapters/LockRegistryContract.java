package io.distlock.adapters;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

import io.distlock.LockLostException;
import io.distlock.operations.LockOperations;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.Test;

import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What users of a lock registry of Spring Integration rely on, for each store. */
@SuppressWarnings({ "rawtypes", "unchecked" })
public abstract class LockRegistryContract {

	private final String key = UUID.randomUUID().toString();

	/**
	 * Returns the registry of one application.
	 * @return the same one each time
	 */
	protected abstract LockRegistry one();

	/**
	 * Returns the registry of another application with the same store.
	 * @return the same one each time
	 */
	protected abstract LockRegistry two();

	/**
	 * Returns what an operator does in one of the applications.
	 * @return the operations
	 */
	protected abstract LockOperations operations();

	private Lock lock() {
		return one().obtain(this.key);
	}

	private boolean takenElsewhere() {
		Lock other = two().obtain(this.key);
		boolean free = other.tryLock();
		if (free) {
			other.unlock();
		}
		return !free;
	}

	@Test
	void locksOfOneKeyAreEqualInTheirRegistry() {
		assertThat(lock()).isEqualTo(lock()).hasSameHashCodeAs(lock());
		assertThat(lock()).isNotEqualTo(two().obtain(this.key)).isNotEqualTo(one().obtain(this.key + "1"));
	}

	@Test
	void lockThenTakenUntilUnlocked() {
		for (int i = 0; i < 5; i++) {
			Lock lock = lock();
			lock.lock();
			assertThat(takenElsewhere()).isTrue();
			lock.unlock();
			assertThat(takenElsewhere()).isFalse();
		}
	}

	@Test
	void lockInterruptiblyThenTakenUntilUnlocked() throws Exception {
		Lock lock = lock();
		lock.lockInterruptibly();
		assertThat(takenElsewhere()).isTrue();
		lock.unlock();
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void lockAgainByTheSameThreadThenTakenUntilTheLastUnlock() throws Exception {
		lock().lock();
		lock().lockInterruptibly();
		assertThat(lock().tryLock()).isTrue();
		assertThat(lock().tryLock(1, TimeUnit.SECONDS)).isTrue();
		for (int i = 0; i < 3; i++) {
			lock().unlock();
			assertThat(takenElsewhere()).isTrue();
		}
		lock().unlock();
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void obtainOfTheSameKeyThenTheSameLock() {
		lock().lock();
		lock().unlock();
		assertThat(lock()).hasToString("Lock[integration:" + this.key + "]");
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void twoKeysThenTwoLocks() {
		Lock first = one().obtain(this.key + "a");
		Lock second = one().obtain(this.key + "b");
		first.lock();
		second.lock();
		first.unlock();
		assertThat(two().obtain(this.key + "b").tryLock()).isFalse();
		second.unlock();
	}

	@Test
	void tryLockByAnotherThreadThenNotWithinItsTimeAndItHasNothingToUnlock() throws Exception {
		lock().lock();
		assertThat(TestThreads.get(TestThreads.inThread(() -> lock().tryLock(200, TimeUnit.MILLISECONDS)))).isFalse();
		assertThat(TestThreads.get(TestThreads.inThread(() -> {
			assertThat(lock().tryLock()).isFalse();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock()::unlock);
			return true;
		}))).isTrue();
		lock().unlock();
	}

	@Test
	void twoThreadsThenTheSecondWaitsForTheFirst() throws Exception {
		waitsForTheFirst(one());
	}

	@Test
	void twoThreadsOfDifferentRegistriesThenTheSecondWaitsForTheFirst() throws Exception {
		waitsForTheFirst(two());
	}

	private void waitsForTheFirst(LockRegistry other) throws Exception {
		AtomicInteger order = new AtomicInteger();
		lock().lock();
		TestThreads.Task<Integer> second = TestThreads.inWaitingThread(() -> {
			Lock lock = other.obtain(this.key);
			lock.lockInterruptibly();
			try {
				return order.incrementAndGet();
			}
			finally {
				lock.unlock();
			}
		});
		assertThat(order.incrementAndGet()).isOne();
		lock().unlock();
		assertThat(TestThreads.get(second)).isEqualTo(2);
	}

	@Test
	void unlockByTheWrongThreadThenRefusedAndStillTaken() throws Exception {
		Lock lock = lock();
		lock.lock();
		assertThat(TestThreads.get(TestThreads.inThread(() -> {
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock)
				.withMessage("Lock 'integration:" + this.key + "' is not held by this thread");
			return true;
		}))).isTrue();
		assertThat(takenElsewhere()).isTrue();
		lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
	}

	@Test
	void unlockWhenTheLockWasLostThenSaysSo() {
		Lock lock = lock();
		lock.lock();
		operations().forceRelease("integration:" + this.key, "the test takes it away");
		Lock other = two().obtain(this.key);
		other.lock();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		assertThat(lock.tryLock()).as("held by the other").isFalse();
		other.unlock();
		lock.lock();
		lock.unlock();
	}

	@Test
	void interruptThenEndsOnlyAnInterruptibleWait() throws Exception {
		lock().lock();
		TestThreads.Task<Boolean> interruptible = TestThreads.inWaitingThread(() -> {
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock()::lockInterruptibly);
			return Thread.currentThread().isInterrupted();
		});
		interruptible.thread().interrupt();
		assertThat(TestThreads.get(interruptible)).as("flag").isFalse();
		TestThreads.Task<Boolean> uninterruptible = TestThreads.inWaitingThread(() -> {
			lock().lock();
			lock().unlock();
			return Thread.currentThread().isInterrupted();
		});
		uninterruptible.thread().interrupt();
		lock().unlock();
		assertThat(TestThreads.get(uninterruptible)).as("flag").isTrue();
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void interruptedThreadThenMayTryButNotWait() throws Exception {
		assertThat(TestThreads.get(TestThreads.inThread(() -> {
			Thread.currentThread().interrupt();
			assertThat(lock().tryLock()).isTrue();
			lock().unlock();
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock().tryLock(1, TimeUnit.SECONDS));
			return Thread.currentThread().isInterrupted();
		}))).as("flag").isFalse();
		assertThat(takenElsewhere()).isFalse();
	}

	@Test
	void executeLockedThenUnderTheLock() throws Throwable {
		assertThat(one().executeLocked(this.key, () -> takenElsewhere())).isEqualTo(true);
		assertThat(takenElsewhere()).isFalse();
		lock().lock();
		assertThatExceptionOfType(TimeoutException.class)
			.isThrownBy(() -> two().executeLocked(this.key, Duration.ofMillis(100), () -> true));
		lock().unlock();
	}

	@Test
	void obtainWhenTheKeyIsOddThenTheLockOfThatText() {
		for (String odd : List.of("a b", "a:b", "{a}", "ключ-鍵-🔑", "a'\"\\;--", "a%b_*?[", "line\nbreak",
				"x".repeat(300))) {
			Lock lock = one().obtain(this.key + odd);
			lock.lock();
			assertThat(two().obtain(this.key + odd).tryLock()).as(odd).isFalse();
			lock.unlock();
		}
	}

	@Test
	void obtainWhenTheKeyIsNoTextThenRefused() {
		for (Object wrong : List.of(" ", 42, new Object())) {
			assertThatIllegalArgumentException().isThrownBy(() -> one().obtain(wrong))
				.withMessageContaining("must be a String that is not blank");
		}
	}

	@Test
	void manyThreadsOfTwoRegistriesThenOneAtATime() throws Exception {
		Account account = new Account();
		List<TestThreads.Task<Boolean>> all = Stream.of(one(), one(), two(), two())
			.map((registry) -> TestThreads.inThread(() -> {
				for (int i = 0; i < 10; i++) {
					Lock lock = registry.obtain(this.key);
					lock.lock();
					try {
						account.add();
					}
					finally {
						lock.unlock();
					}
				}
				return true;
			}))
			.toList();
		for (TestThreads.Task<Boolean> task : all) {
			TestThreads.get(task);
		}
		assertThat(account.amount()).isEqualTo(40);
	}

}
