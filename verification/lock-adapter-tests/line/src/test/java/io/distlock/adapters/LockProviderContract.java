package io.distlock.adapters;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import io.distlock.LockLostException;
import io.distlock.LockTemplate;
import io.distlock.spring.shedlock.LockTemplateLockProvider;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What ShedLock demands of a provider, for each store. The first fifteen tests have the
 * names of ShedLock's own, which are not published, and check the same behaviour.
 */
public abstract class LockProviderContract {

	private static final Duration LONG = Duration.ofMinutes(5);

	/** A machine that stalls for longer loses such a lock at once. */
	private static final Duration SHORT = Duration.ofSeconds(2);

	private final String name = UUID.randomUUID().toString();

	/**
	 * Returns the provider of one application.
	 * @return the same one each time
	 */
	protected abstract LockProvider one();

	/**
	 * Returns the template of another application with the same store.
	 * @return the same one each time
	 */
	protected abstract LockTemplate two();

	private static Optional<SimpleLock> lock(LockProvider provider, String name, Duration atMost, Duration atLeast) {
		return provider.lock(new LockConfiguration(ClockProvider.now(), name, atMost, atLeast));
	}

	private Optional<SimpleLock> lock() {
		return lock(one(), this.name, LONG, Duration.ZERO);
	}

	private SimpleLock locked(Duration atMost) {
		SimpleLock lock = lock(one(), this.name, atMost, Duration.ZERO).orElseThrow();
		assertThat(isLocked()).isTrue();
		return lock;
	}

	private static SimpleLock extended(SimpleLock lock) {
		return lock.extend(Duration.ofSeconds(60), Duration.ofSeconds(59)).orElseThrow();
	}

	/** Waits for a lock whose time is over. A store may add a grace to that time. */
	private static SimpleLock awaitLock(LockProvider provider, String name) {
		return awaitLock(provider, name, LONG);
	}

	/** The time of a short lock may be over before its grant arrives. */
	private static SimpleLock awaitLock(LockProvider provider, String name, Duration atMost) {
		return await().atMost(Duration.ofMinutes(1))
			.ignoreException(LockLostException.class)
			.until(() -> lock(provider, name, atMost, Duration.ZERO), Optional::isPresent)
			.orElseThrow();
	}

	private boolean isLocked() {
		return two().isLocked(this.name);
	}

	@Test
	void shouldCreateLock() {
		SimpleLock lock = locked(LONG);
		lock.unlock();
		assertThat(isLocked()).isFalse();
	}

	@Test
	void shouldNotReturnSecondLock() {
		SimpleLock lock = locked(LONG);
		assertThat(lock()).isEmpty();
		lock.unlock();
	}

	@Test
	void shouldCreateTwoIndependentLocks() {
		SimpleLock first = locked(LONG);
		SimpleLock second = lock(one(), this.name + "2", LONG, Duration.ZERO).orElseThrow();
		first.unlock();
		assertThat(two().isLocked(this.name + "2")).isTrue();
		second.unlock();
	}

	@Test
	void shouldLockTwiceInARow() {
		locked(LONG).unlock();
		locked(LONG).unlock();
	}

	@Test
	void shouldTimeout() throws Exception {
		Standstill.repeat(() -> {
			lock(one(), this.name, SHORT, Duration.ZERO).orElseThrow();
			awaitLock(one(), this.name).unlock();
		});
	}

	@Test
	void shouldBeAbleToLockRightAfterUnlock() {
		for (int i = 0; i < 10; i++) {
			SimpleLock lock = lock().orElseThrow();
			assertThat(lock()).isEmpty();
			lock.unlock();
		}
	}

	@Test
	void fuzzTestShouldPass() throws Exception {
		fuzz(one(), new LockTemplateLockProvider(two()));
	}

	/** All threads of one process. */
	@Test
	void fuzzTestOfOneProviderShouldPass() throws Exception {
		fuzz(one(), one());
	}

	private void fuzz(LockProvider first, LockProvider second) throws Exception {
		Account account = new Account();
		List<TestThreads.Task<Boolean>> all = Stream.of(first, first, second, second)
			.map((provider) -> TestThreads.inThread(() -> {
				for (int done = 0; done < 10;) {
					Optional<SimpleLock> lock = lock(provider, this.name, LONG, Duration.ZERO);
					if (lock.isPresent()) {
						account.add();
						lock.get().unlock();
						done++;
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

	@Test
	void shouldLockAtLeastFor() {
		Duration atLeast = Duration.ofSeconds(2);
		long before = System.nanoTime();
		lock(one(), this.name, LONG, atLeast).orElseThrow().unlock();
		SimpleLock next = awaitLock(one(), this.name);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(atLeast.minusMillis(20));
		next.unlock();
	}

	@Test
	void shouldBeAbleToExtendLock() {
		Duration original = Duration.ofSeconds(6);
		SimpleLock lock = locked(original);
		SimpleLock longer = lock.extend(Duration.ofSeconds(60), Duration.ZERO).orElseThrow();
		// Where it would be free without the extension.
		Pause.of(original);
		assertThat(isLocked()).isTrue();
		longer.unlock();
		assertThat(isLocked()).isFalse();
	}

	@Test
	void shouldNotBeAbleToExtendUnlockedLock() {
		SimpleLock lock = locked(LONG);
		lock.unlock();
		assertThat(isLocked()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> lock.extend(LONG, Duration.ZERO));
	}

	@Test
	void shouldNotBeAbleToExtendExpiredLock() {
		SimpleLock lock = awaitLock(one(), this.name, Duration.ofMillis(1));
		// Longer than its time, and perhaps shorter than the shortest lease.
		Pause.of(Duration.ofMillis(2));
		assertThat(lock.extend(LONG, Duration.ZERO)).isEmpty();
		assertThat(isLocked()).isFalse();
	}

	@Test
	void shouldBeAbleToExtendAtLeast() {
		extended(locked(LONG)).unlock();
		assertThat(isLocked()).isTrue();
	}

	@Test
	void lockCanNotBeExtendedTwice() {
		SimpleLock lock = locked(LONG);
		extended(lock);
		assertThatIllegalStateException().isThrownBy(() -> extended(lock));
	}

	@Test
	void lockCanNotBeUnlockedAfterExtending() {
		SimpleLock lock = locked(LONG);
		extended(lock);
		assertThatIllegalStateException().isThrownBy(lock::unlock);
	}

	@Test
	void unlockWhenTheLockWasLostThenLoggedAndTheOtherKeepsIt() throws Exception {
		Standstill.repeat(() -> {
			SimpleLock lock = lock(one(), this.name, SHORT, Duration.ZERO).orElseThrow();
			SimpleLock other = awaitLock(new LockTemplateLockProvider(two()), this.name);
			lock.unlock();
			assertThat(isLocked()).isTrue();
			other.unlock();
		});
	}

	@Test
	void extendWhenTheLockWasLostThenEmptyAndTheOtherKeepsIt() throws Exception {
		Standstill.repeat(() -> {
			SimpleLock lock = lock(one(), this.name, SHORT, Duration.ZERO).orElseThrow();
			SimpleLock other = awaitLock(new LockTemplateLockProvider(two()), this.name);
			assertThat(lock.extend(LONG, Duration.ZERO)).isEmpty();
			assertThat(isLocked()).isTrue();
			other.unlock();
		});
	}

	@Test
	void unlockByAnotherThreadThenFree() throws Exception {
		SimpleLock lock = locked(LONG);
		TestThreads.get(TestThreads.inThread(() -> {
			lock.unlock();
			return true;
		}));
		assertThat(isLocked()).isFalse();
	}

	@Test
	void lockWhenTheNameIsOddThenTheLockOfThatText() {
		for (String odd : List.of("a b", "a:b", "{a}", "ключ-鍵-🔑", "a'\"\\;--", "a%b_*?[", "line\nbreak",
				"x".repeat(300))) {
			SimpleLock lock = lock(one(), this.name + odd, LONG, Duration.ZERO).orElseThrow();
			assertThat(lock(new LockTemplateLockProvider(two()), this.name + odd, LONG, Duration.ZERO)).as(odd)
				.isEmpty();
			lock.unlock();
		}
	}

}
