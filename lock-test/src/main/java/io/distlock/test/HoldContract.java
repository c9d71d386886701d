package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
import io.distlock.operations.LockOperations;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.distlock.test.TestThreads.awaitWaiting;
import static io.distlock.test.TestThreads.get;
import static io.distlock.test.TestThreads.inThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The part of {@link LockTemplateContract} about one lock: acquired, held and released.
 */
@SuppressWarnings({ "NullAway", "resource" })
abstract class HoldContract extends TemplateContractPart {

	HoldContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest waiting() {
		return waiting(request());
	}

	@Test
	@DisplayName("holds a lock against another template until closed")
	void acquireWhenHeldElsewhereThenBusyUntilClosed() {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		try (LockHandle lock = one.acquire(request().calledFrom("Shop.sell"))) {
			assertThat(lock.key()).isEqualTo(key());
			assertThat(lock.isHeld()).isTrue();
			assertThat(lock.remaining()).isPositive().isLessThan(Duration.ofSeconds(30));
			assertThat(two.tryAcquire(request())).isEmpty();
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> two.acquire(request()))
				.withMessageStartingWith("Lock '" + key()
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
		TestThreads.Task<Long> waiter = inThread(() -> {
			try (LockHandle second = two.acquire(waiting())) {
				return second.fencingToken();
			}
		});
		awaitWaiting(waiter.thread());
		long token = first.fencingToken();
		first.close();
		assertThat(get(waiter)).isGreaterThan(token);
	}

	@Test
	@DisplayName("gets a lock whose holder died when the lease is over")
	void acquireWhenHolderGoneThenGrantedAfterLease() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		Duration lease = Duration.ofMillis(400);
		long before = System.nanoTime();
		LockHandle abandoned = briefly(lease, (asked) -> one.acquire(waiting().leaseFor(asked)));
		Duration left = abandoned.remaining();
		Duration waited = timed(() -> two.acquire(waiting()));
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(lease.minusMillis(20));
		assertThat(waited).isLessThanOrEqualTo(left.plus(ROUND_TRIP));
		assertThat(abandoned.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(abandoned::close);
	}

	@Test
	@DisplayName("is granted to one after the other although all of them end without a release")
	void acquireWhenThreadsEndWithoutReleaseThenNextOneGrantedAfterTheLease() throws Exception {
		List<CloseableLockTemplate> processes = List.of(template(), template());
		List<TestThreads.Task<LockHandle>> granted = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			CloseableLockTemplate process = processes.get(i % 2);
			granted.add(inThread(
					() -> briefly(Duration.ofMillis(400), (lease) -> process.acquire(waiting().leaseFor(lease)))));
		}
		for (TestThreads.Task<LockHandle> grant : granted) {
			assertThat(get(grant)).isNotNull();
		}
	}

	@Test
	@DisplayName("stays taken for a minimum, also if its process ends after the release")
	void closeWhenMinimumAndItsProcessEndsThenTakenUntilItsEnd() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		Duration minimum = Duration.ofSeconds(2);
		long before = System.nanoTime();
		one.acquire(request().holdAtLeast(minimum)).close();
		one.close();
		LockHandle next = two.acquire(waiting());
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(minimum.minusMillis(20));
		next.close();
	}

	@Test
	@DisplayName("stays taken for a minimum that its owner asks for later")
	void holdAtLeastWhenHeldThenTakenUntilItsEnd() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		Duration minimum = Duration.ofMillis(500);
		LockHandle lock = one.acquire(request());
		long before = System.nanoTime();
		lock.holdAtLeast(minimum);
		lock.close();
		LockHandle next = two.acquire(waiting());
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(minimum.minusMillis(20));
		next.close();
	}

	@Test
	@DisplayName("renews a lock without a lease of its own for as long as it is held")
	void acquireWhenHeldLongerThanLeaseThenRenewed() {
		CloseableLockTemplate one = template(RENEWED_SOON);
		CloseableLockTemplate two = template();
		try (LockHandle lock = one.acquire(waiting())) {
			awaitRenewal(lock);
			assertThat(two.tryAcquire(request())).isEmpty();
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
		TestThreads.Task<Boolean> waiter = inThread(() -> {
			assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> two.acquire(waiting()));
			return Thread.currentThread().isInterrupted();
		});
		awaitWaiting(waiter.thread());
		waiter.thread().interrupt();
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
		TestThreads.Task<Boolean> holder = inThread(() -> {
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
			.withMessage("Lock '" + key() + "' was released by closing this handle");
	}

	@Test
	@DisplayName("keeps waiters of one process in their order")
	void acquireWhenSeveralThreadsWaitThenFirstComeFirstServed() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle held = one.acquire(request());
		ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
		List<TestThreads.Task<?>> tasks = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			int number = i;
			tasks.add(inThread(() -> {
				one.run(waiting(), (lock) -> order.add(number));
				return null;
			}));
			// A thread that does not run may still be on the way to its place.
			Awaitility.await().until(() -> LockOperations.of(one).waitingHere().size() > number);
		}
		held.close();
		for (TestThreads.Task<?> task : tasks) {
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
		TestThreads.Task<Boolean> holder = inThread(() -> one.execute(request(), (lock) -> {
			inside.countDown();
			leave.await();
			one.acquire(request()).close();
			return lock.isHeld();
		}));
		assertThat(inside.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		TestThreads.Task<Boolean> shutdown = inThread(() -> one.shutdown(LONG));
		LockRequest other = LockRequest.of(key() + ":other");
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
