package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a user of the template may rely on, on every store. Extend it and return a new
 * store of your kind, all of them on one server; the tests use keys of their own.
 */
@SuppressWarnings({ "NullAway", "resource" })
@Timeout(60)
public abstract class LockTemplateContract {

	private static final Duration LONG = Duration.ofSeconds(20);

	/** More than a round trip on a busy machine, less than any wait in these tests. */
	private static final Duration ROUND_TRIP = Duration.ofMillis(900);

	private final List<CloseableLockTemplate> templates = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	private final String key = "contract:" + UUID.randomUUID();

	/**
	 * Creates a store, not started yet.
	 * @return a new client of the one server
	 */
	protected abstract LockStore newStore();

	/**
	 * How often a lock is acquired and released to see whether anything is left.
	 * @return enough to see what piles up; less for a store that is slow
	 */
	protected int cycles() {
		return 3_000;
	}

	@AfterEach
	void closeTemplates() throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.interrupt();
			thread.join(5000);
		}
		this.templates.forEach(CloseableLockTemplate::close);
	}

	CloseableLockTemplate template() {
		return template(LockSettings.builder()
			.waitTime(Duration.ZERO)
			.leaseTime(Duration.ofSeconds(10))
			.commandTimeout(Duration.ofSeconds(3))
			.application("app")
			.host("host")
			.build());
	}

	CloseableLockTemplate template(LockSettings settings) {
		return started(LockTemplateBuilder.forStore(newStore()).settings(settings).build());
	}

	/**
	 * The first command may wait for a connection, which takes its time on a busy
	 * machine.
	 */
	private CloseableLockTemplate started(CloseableLockTemplate template) {
		this.templates.add(template);
		LockRequest first = LockRequest.of(this.key + ":first:" + template.instance()).waitAtMost(Duration.ZERO);
		Awaitility.await().pollDelay(Duration.ZERO).ignoreExceptions().until(() -> {
			template.acquire(first).close();
			return true;
		});
		return template;
	}

	LockRequest request() {
		return LockRequest.of(this.key);
	}

	private LockRequest waiting() {
		return request().waitAtMost(LONG);
	}

	private <T> FutureTask<T> inThread(Callable<T> body) {
		FutureTask<T> task = new FutureTask<>(body);
		Thread thread = new Thread(task, "contract-" + this.threads.size());
		this.threads.add(thread);
		thread.start();
		return task;
	}

	private Thread lastThread() {
		return this.threads.get(this.threads.size() - 1);
	}

	private static <T> T get(FutureTask<T> task) throws Exception {
		return task.get(LONG.toSeconds(), TimeUnit.SECONDS);
	}

	private static void awaitParked(Thread thread) {
		Awaitility.await()
			.until(() -> thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
	}

	private static Duration timed(Callable<?> action) throws Exception {
		long start = System.nanoTime();
		action.call();
		return Duration.ofNanos(System.nanoTime() - start);
	}

	@Nested
	@DisplayName("An asynchronous acquisition")
	class Async extends AsyncTemplateTests {

		@Override
		CloseableLockTemplate template() {
			return LockTemplateContract.this.template();
		}

		@Override
		LockRequest request() {
			return LockTemplateContract.this.request();
		}

	}

	@Nested
	@DisplayName("A limit of waiters")
	class Crowd extends CrowdTests {

		@Override
		CloseableLockTemplate template() {
			return LockTemplateContract.this.template();
		}

		@Override
		CloseableLockTemplate template(LockSettings settings) {
			return LockTemplateContract.this.template(settings);
		}

		@Override
		LockRequest request() {
			return LockTemplateContract.this.request();
		}

	}

	@Nested
	@DisplayName("A shared lock")
	class SharedMode extends SharedModeTests {

		@Override
		CloseableLockTemplate template() {
			return LockTemplateContract.this.template();
		}

		@Override
		CloseableLockTemplate template(LockSettings settings) {
			return LockTemplateContract.this.template(settings);
		}

		@Override
		LockRequest request() {
			return LockTemplateContract.this.request();
		}

	}

	@Nested
	@DisplayName("A template")
	class Template {

		@Test
		@DisplayName("holds a lock against another template until closed")
		void acquireWhenHeldElsewhereThenBusyUntilClosed() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			try (LockHandle lock = one.acquire(request().calledFrom("Shop.sell"))) {
				assertThat(lock.key()).isEqualTo(LockTemplateContract.this.key);
				assertThat(lock.isHeld()).isTrue();
				assertThat(lock.remaining()).isPositive().isLessThan(Duration.ofSeconds(10));
				assertThat(two.tryAcquire(request())).isEmpty();
				assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> two.acquire(request()))
					.withMessageStartingWith("Lock '" + LockTemplateContract.this.key
							+ "' is busy: not acquired within 0s; held by app@host (instance " + one.instance() + ")")
					.withMessageContaining("Shop.sell")
					.withMessageContaining(Thread.currentThread().getName())
					.satisfies((ex) -> assertThat(ex.holder().orElseThrow().instance()).isEqualTo(one.instance()));
			}
			assertThat(two.tryAcquire(request())).isPresent();
		}

		@Test
		@DisplayName("waits for a lock and gets it when it is free")
		void acquireWhenReleasedWhileWaitingThenGranted() throws Exception {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			LockHandle first = one.acquire(request());
			FutureTask<Long> waiter = inThread(() -> {
				try (LockHandle second = two.acquire(waiting())) {
					return second.fencingToken();
				}
			});
			awaitParked(lastThread());
			long token = first.fencingToken();
			first.close();
			assertThat(get(waiter)).isGreaterThan(token);
		}

		@Test
		@DisplayName("gets a lock whose holder died when the lease is over")
		void acquireWhenHolderGoneThenGrantedAfterLease() throws Exception {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			LockHandle abandoned = one.acquire(request().leaseFor(Duration.ofMillis(400)));
			Duration waited = timed(() -> two.acquire(waiting()));
			assertThat(waited).isBetween(Duration.ofMillis(300), Duration.ofMillis(400).plus(ROUND_TRIP));
			assertThat(abandoned.isHeld()).isFalse();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(abandoned::close);
		}

		@Test
		@DisplayName("renews a lock without a lease of its own for as long as it is held")
		void acquireWhenHeldLongerThanLeaseThenRenewed() {
			LockSettings settings = LockSettings.builder().leaseTime(Duration.ofMillis(600)).build();
			CloseableLockTemplate one = template(settings);
			CloseableLockTemplate two = template();
			try (LockHandle lock = one.acquire(request())) {
				assertThatExceptionOfType(LockBusyException.class)
					.isThrownBy(() -> two.acquire(request().waitAtMost(Duration.ofMillis(1500))));
				lock.ensureHeld();
			}
			assertThat(two.tryAcquire(request())).isPresent();
		}

		@Test
		@DisplayName("runs a body under the lock, as the current lock, and releases it whatever happens")
		void executeWhenBodyEndsThenReleased() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			String result = one.execute(request(), (lock) -> {
				assertThat(LockContext.current()).contains(lock);
				assertThat(two.tryAcquire(request())).isEmpty();
				return "done";
			});
			assertThat(result).isEqualTo("done");
			assertThat(LockContext.current()).isEmpty();
			assertThatIllegalStateException().isThrownBy(() -> one.run(request(), (lock) -> {
				throw new IllegalStateException("body failed");
			})).withMessage("body failed");
			assertThat(LockContext.current()).isEmpty();
			assertThat(two.tryAcquire(request())).isPresent();
		}

		@Test
		@DisplayName("never runs a body without the lock")
		void executeWhenBusyThenBodyDoesNotRun() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			AtomicBoolean ran = new AtomicBoolean();
			one.acquire(request());
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> two.run(request(), (lock) -> ran.set(true)));
			assertThat(ran).isFalse();
		}

		@Test
		@DisplayName("lets an interrupted waiter go, with its flag set and nothing left behind")
		void acquireWhenInterruptedThenFlagKept() throws Exception {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			LockHandle held = one.acquire(request());
			FutureTask<Boolean> waiter = inThread(() -> {
				assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> two.acquire(waiting()));
				return Thread.currentThread().isInterrupted();
			});
			awaitParked(lastThread());
			lastThread().interrupt();
			assertThat(get(waiter)).isTrue();
			Awaitility.await().until(two::isIdle);
			held.close();
			assertThat(one.tryAcquire(request())).isPresent();
		}

		@Test
		@DisplayName("releases even when the thread is interrupted, and keeps the flag")
		void closeWhenInterruptedThenReleasedAndFlagKept() throws Exception {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			FutureTask<Boolean> holder = inThread(() -> {
				LockHandle lock = one.acquire(request());
				Thread.currentThread().interrupt();
				lock.close();
				return Thread.interrupted();
			});
			assertThat(get(holder)).isTrue();
			assertThat(two.tryAcquire(request())).isPresent();
		}

		@Test
		@DisplayName("lets a handle be closed twice, and by another thread")
		void closeWhenTwiceThenOnce() throws Exception {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			LockHandle lock = one.acquire(request());
			get(inThread(() -> {
				lock.close();
				return null;
			}));
			LockHandle other = two.acquire(waiting());
			lock.close();
			assertThat(other.isHeld()).isTrue();
			assertThatIllegalStateException().isThrownBy(lock::ensureHeld)
				.withMessage("Lock '" + LockTemplateContract.this.key + "' was released by closing this handle");
		}

		@Test
		@DisplayName("keeps waiters of one process in their order")
		void acquireWhenSeveralThreadsWaitThenFirstComeFirstServed() throws Exception {
			CloseableLockTemplate one = template();
			LockHandle held = one.acquire(request());
			ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
			List<FutureTask<Object>> tasks = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				int number = i;
				tasks.add(inThread(() -> {
					one.run(waiting(), (lock) -> order.add(number));
					return null;
				}));
				awaitParked(lastThread());
			}
			held.close();
			for (FutureTask<Object> task : tasks) {
				get(task);
			}
			assertThat(order).containsExactly(0, 1, 2, 3, 4);
		}

		@Test
		@DisplayName("once shut down refuses new locks, but lets those inside nest and finish")
		void shutdownWhenHeldThenWaitsForHolder() throws Exception {
			CloseableLockTemplate one = template();
			CountDownLatch inside = new CountDownLatch(1);
			CountDownLatch leave = new CountDownLatch(1);
			FutureTask<Boolean> holder = inThread(() -> one.execute(request(), (lock) -> {
				inside.countDown();
				leave.await();
				one.acquire(request()).close();
				return lock.isHeld();
			}));
			assertThat(inside.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			FutureTask<Boolean> shutdown = inThread(() -> one.shutdown(LONG));
			LockRequest other = LockRequest.of(LockTemplateContract.this.key + ":other");
			Awaitility.await()
				.untilAsserted(() -> assertThatExceptionOfType(LockException.class)
					.isThrownBy(() -> one.acquire(other).close())
					.withMessage("Lock '" + other.key() + "' was not acquired: the lock template is shutting down"));
			assertThat(shutdown.isDone()).isFalse();
			leave.countDown();
			assertThat(get(holder)).isTrue();
			assertThat(get(shutdown)).isTrue();
			assertThat(template().tryAcquire(request())).isPresent();
		}

	}

	@Nested
	@DisplayName("Several keys, and a minimum hold")
	class SeveralAndMinimum {

		@Test
		@DisplayName("all or none")
		void acquireWhenSeveralThenAllOrNone() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate other = template();
			String first = LockTemplateContract.this.key + ":1";
			String second = LockTemplateContract.this.key + ":2";
			LockRequest both = LockRequest.ofAll(List.of(second, first));
			LockHandle all = one.acquire(both);
			assertThat(all.isHeld()).isTrue();
			assertThat(other.tryAcquire(LockRequest.of(first))).isEmpty();
			assertThat(other.tryAcquire(LockRequest.of(second))).isEmpty();
			all.close();
			LockHandle busy = other.acquire(second);
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> one.acquire(both))
				.satisfies((ex) -> assertThat(ex.key()).isEqualTo(second));
			assertThat(other.tryAcquire(LockRequest.of(first))).as("given back").hasValueSatisfying(LockHandle::close);
			busy.close();
			one.acquireAsync(both).toCompletableFuture().join().close();
			Awaitility.await().until(one::isIdle);
		}

		@Test
		@DisplayName("stays taken for the rest of the minimum, then is free")
		void closeWhenEarlierThanTheMinimumThenTakenForTheRest() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate other = template();
			Duration minimum = Duration.ofMillis(600);
			long begun = System.nanoTime();
			one.acquire(request().holdAtLeast(minimum)).close();
			try (LockHandle next = other.acquire(waiting())) {
				assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(minimum);
				assertThat(next.isHeld()).isTrue();
			}
			Awaitility.await().until(one::isIdle);
		}

	}

	@Nested
	@DisplayName("A nested acquisition")
	class Nesting {

		@Test
		@DisplayName("shares the hold; only the outermost close releases")
		void acquireWhenNestedThenReleasedByOutermost() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			LockHandle outer = one.acquire(request());
			LockHandle inner = one.acquire(request());
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			inner.close();
			assertThat(outer.isHeld()).isTrue();
			assertThat(two.tryAcquire(request())).isEmpty();
			outer.close();
			assertThat(two.tryAcquire(request())).isPresent();
		}

		@Test
		@DisplayName("with a shorter lease never shortens the outer one")
		void acquireWhenNestedShorterThenLeaseStays() {
			CloseableLockTemplate one = template();
			LockHandle outer = one.acquire(request().leaseFor(Duration.ofSeconds(10)));
			one.acquire(request().leaseFor(Duration.ofMillis(200))).close();
			assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(7));
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> template().acquire(request().waitAtMost(Duration.ofMillis(600))));
			outer.close();
		}

		@Test
		@DisplayName("with a longer lease extends the outer one")
		void acquireWhenNestedLongerThenExtended() {
			CloseableLockTemplate one = template();
			LockHandle outer = one.acquire(request().leaseFor(Duration.ofSeconds(2)));
			LockHandle inner = one.acquire(request().leaseFor(Duration.ofSeconds(60)));
			assertThat(inner.remaining()).isGreaterThan(Duration.ofSeconds(50));
			inner.close();
			assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(50));
			outer.close();
		}

		@Test
		@DisplayName("by another thread is no nesting")
		void acquireWhenOtherThreadThenBusy() throws Exception {
			CloseableLockTemplate one = template();
			one.acquire(request());
			assertThat(get(inThread(() -> one.tryAcquire(request())))).isEmpty();
		}

	}

	@Nested
	@DisplayName("Mutual exclusion")
	class Exclusion {

		@Test
		@DisplayName("holds for many threads of several templates, and tokens only rise")
		void runWhenManyThreadsThenCounterExact() throws Exception {
			int rounds = 40;
			List<CloseableLockTemplate> nodes = List.of(template(), template());
			int[] counter = new int[1];
			List<Long> tokens = new ArrayList<>();
			List<FutureTask<Object>> tasks = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				CloseableLockTemplate node = nodes.get(i % nodes.size());
				tasks.add(inThread(() -> {
					for (int round = 0; round < rounds; round++) {
						node.run(waiting(), (lock) -> {
							int read = counter[0];
							Thread.yield();
							counter[0] = read + 1;
							tokens.add(lock.fencingToken());
						});
					}
					return null;
				}));
			}
			for (FutureTask<Object> task : tasks) {
				get(task);
			}
			assertThat(counter[0]).isEqualTo(8 * rounds);
			assertThat(tokens).isSorted().doesNotHaveDuplicates();
			nodes.forEach((node) -> Awaitility.await().until(node::isIdle));
		}

		@Test
		@DisplayName("leaves nothing in memory after thousands of cycles")
		void runWhenManyCyclesThenNothingLeft() {
			CloseableLockTemplate one = template();
			for (int i = 0; i < cycles(); i++) {
				one.run(LockRequest.of(LockTemplateContract.this.key + (i % 100)), (lock) -> {
				});
			}
			Awaitility.await().until(one::isIdle);
		}

	}

	@Nested
	@DisplayName("As java.util.concurrent.locks.Lock, it")
	class JavaLock {

		@Test
		@DisplayName("excludes, is reentrant, and is released by the last unlock")
		void lockWhenReentrantThenReleasedByLastUnlock() throws Exception {
			CloseableLockTemplate one = template();
			Lock lock = one.getLock(LockTemplateContract.this.key);
			Lock elsewhere = template().getLock(LockTemplateContract.this.key);
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
			Lock lock = template().getLock(LockTemplateContract.this.key);
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
			lock.lock();
			get(inThread(() -> {
				assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock)
					.withMessage("Lock '" + LockTemplateContract.this.key + "' is not held by thread '"
							+ Thread.currentThread().getName() + "'");
				return null;
			}));
			lock.unlock();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		}

		@Test
		@DisplayName("has no conditions")
		void newConditionThenUnsupported() {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> template().getLock(LockTemplateContract.this.key).newCondition());
		}

		@Test
		@DisplayName("lock() goes on waiting when interrupted, any number of times, and keeps the flag")
		void lockWhenInterruptedThenWaitsAndKeepsFlag() throws Exception {
			Lock elsewhere = template().getLock(LockTemplateContract.this.key);
			Lock lock = template().getLock(LockTemplateContract.this.key);
			elsewhere.lock();
			FutureTask<Boolean> waiter = inThread(() -> {
				lock.lock();
				lock.unlock();
				return Thread.currentThread().isInterrupted();
			});
			for (int i = 0; i < 3; i++) {
				awaitParked(lastThread());
				lastThread().interrupt();
			}
			awaitParked(lastThread());
			assertThat(waiter.isDone()).isFalse();
			elsewhere.unlock();
			assertThat(get(waiter)).isTrue();
		}

		@Test
		@DisplayName("lock() with the flag set locks, and keeps the flag")
		void lockWhenFlagSetThenLocksAndKeepsFlag() {
			Lock lock = template().getLock(LockTemplateContract.this.key);
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
			Lock lock = template().getLock(LockTemplateContract.this.key);
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
			Lock elsewhere = template().getLock(LockTemplateContract.this.key);
			Lock lock = template().getLock(LockTemplateContract.this.key);
			elsewhere.lock();
			List<Callable<Object>> calls = List.of(() -> {
				lock.lockInterruptibly();
				return null;
			}, () -> lock.tryLock(LONG.toMillis(), TimeUnit.MILLISECONDS));
			for (Callable<Object> call : calls) {
				AtomicReference<Boolean> flag = new AtomicReference<>();
				FutureTask<Object> waiter = inThread(() -> {
					assertThatExceptionOfType(InterruptedException.class).isThrownBy(call::call);
					flag.set(Thread.currentThread().isInterrupted());
					return null;
				});
				awaitParked(lastThread());
				lastThread().interrupt();
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
			Lock elsewhere = template().getLock(LockTemplateContract.this.key);
			Lock lock = template().getLock(LockTemplateContract.this.key);
			elsewhere.lock();
			inThread(() -> lock.tryLock(LONG.toMillis(), TimeUnit.MILLISECONDS));
			awaitParked(lastThread());
			Duration behind = timed(() -> {
				assertThat(lock.tryLock(300, TimeUnit.MILLISECONDS)).isFalse();
				return null;
			});
			assertThat(behind).isBetween(Duration.ofMillis(299), Duration.ofMillis(300).plus(ROUND_TRIP));
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
			LockSettings settings = LockSettings.builder().leaseTime(Duration.ofMillis(600)).build();
			FaultyLockStore store = new FaultyLockStore(newStore());
			CloseableLockTemplate one = started(LockTemplateBuilder.forStore(store).settings(settings).build());
			Lock lock = one.getLock(LockTemplateContract.this.key);
			lock.lock();
			store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
			CloseableLockTemplate two = template();
			two.acquire(waiting()).close();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock)
				.withMessageStartingWith("Lock '" + LockTemplateContract.this.key
						+ "' was lost: its lease ended before a renewal was confirmed; acquired ");
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
			Awaitility.await().until(one::isIdle);
		}

	}

}
