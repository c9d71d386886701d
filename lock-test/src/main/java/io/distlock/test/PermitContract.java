package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.distlock.test.TestThreads.get;
import static io.distlock.test.TestThreads.inThread;
import static io.distlock.test.TestThreads.runInThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The part of {@link LockTemplateContract} about permits. */
@SuppressWarnings({ "NullAway", "resource" })
abstract class PermitContract extends TemplateContractPart {

	PermitContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest permit(int permits) {
		return request().permits(permits);
	}

	@Test
	@DisplayName("are as many as asked for, wherever they are, and each is one of its own")
	void acquireWhenAllAreTakenThenBusyUntilOneIsGivenBack() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		LockHandle first = one.acquire(permit(3));
		LockHandle second = one.acquire(permit(3));
		LockHandle third = two.acquire(permit(3));
		assertThat(Stream.of(first, second, third).map(LockHandle::fencingToken).distinct()).hasSize(3);
		assertThat(List.of(first, second, third)).allMatch(LockHandle::isHeld);
		assertThat(one.tryAcquire(permit(3))).isEmpty();
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> two.acquire(permit(3)))
			.withMessageContaining("held by app@host");
		second.close();
		assertThat(first.isHeld()).isTrue();
		LockHandle fourth = two.acquire(waiting(permit(3)));
		assertThat(fourth.fencingToken()).isGreaterThan(third.fencingToken());
		assertThat(one.tryAcquire(permit(3))).isEmpty();
		List.of(first, third, fourth).forEach(LockHandle::close);
		Awaitility.await().until(one::isIdle);
		Awaitility.await().until(two::isIdle);
	}

	@Test
	@DisplayName("are not reentrant: a thread that takes the only one twice waits for itself")
	void acquireWhenTheThreadHasOneThenItTakesAnother() {
		CloseableLockTemplate one = template();
		try (LockHandle only = one.acquire(permit(1))) {
			assertThat(one.tryAcquire(permit(1))).isEmpty();
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> one.acquire(permit(1).waitAtMost(Duration.ofMillis(100))));
			assertThat(only.isHeld()).isTrue();
		}
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("are never more in use than there are, in a crowd of threads and processes")
	void acquireWhenManyWantThemThenNeverTooMany() throws Exception {
		int permits = 3;
		AtomicInteger inUse = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		AtomicInteger done = new AtomicInteger();
		List<CloseableLockTemplate> templates = List.of(template(), template());
		Callable<Void> body = () -> {
			CloseableLockTemplate template = templates.get(done.get() % 2);
			for (int round = 0; round < 20; round++) {
				try (LockHandle permit = template.acquire(waiting(permit(permits)))) {
					most.accumulateAndGet(inUse.incrementAndGet(), Math::max);
					Thread.onSpinWait();
					inUse.decrementAndGet();
					done.incrementAndGet();
				}
			}
			return null;
		};
		List<TestThreads.Task<Void>> all = Stream.generate(() -> inThread(body)).limit(10).toList();
		for (TestThreads.Task<Void> one : all) {
			get(one);
		}
		assertThat(most.get()).isBetween(1, permits);
		assertThat(done).hasValue(200);
		Awaitility.await().until(() -> templates.stream().allMatch(CloseableLockTemplate::isIdle));
	}

	@Test
	@DisplayName("go to waiters in the order of arrival")
	void closeWhenSeveralWaitThenFirstComeFirstServed() throws Exception {
		CloseableLockTemplate one = template();
		List<LockHandle> held = new ArrayList<>(List.of(one.acquire(permit(2)), one.acquire(permit(2))));
		List<CompletableFuture<LockHandle>> waiters = Stream.generate(() -> async(one, permit(2))).limit(4).toList();
		for (int i = 0; i < 4; i++) {
			held.remove(i % 2).close();
			held.add(i % 2, get(waiters.get(i)));
			assertThat(waiters.subList(i + 1, 4)).noneMatch(CompletableFuture::isDone);
		}
		held.forEach(LockHandle::close);
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("are waited for across processes")
	void acquireWhenAllAreElsewhereThenGrantedAfterRelease() throws Exception {
		CloseableLockTemplate two = template();
		List<LockHandle> elsewhere = List.of(two.acquire(permit(2)), two.acquire(permit(2)));
		CloseableLockTemplate one = template();
		CompletableFuture<LockHandle> first = async(one, permit(2));
		CompletableFuture<LockHandle> second = async(one, permit(2));
		CompletableFuture<LockHandle> third = async(one, permit(2));
		elsewhere.get(1).close();
		CompletableFuture.anyOf(first, second).get(LONG.toSeconds(), TimeUnit.SECONDS);
		assertThat(third).isNotDone();
		elsewhere.get(0).close();
		get(first).close();
		get(second).close();
		get(third).close();
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("are given to the next in line when one before it that wanted fewer has gone")
	void cancelWhenItWantedFewerThenTheNextInLineGetsOne() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle held = one.acquire(permit(1));
		CompletableFuture<LockHandle> fewer = async(one, permit(1));
		CompletableFuture<LockHandle> more = async(one, permit(3));
		assertThat(more).isNotDone();
		fewer.cancel(false);
		get(more).close();
		held.close();
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("come back with the lease when their process has died")
	void closeWhenTheProcessDiesThenItsPermitsComeBack() throws Exception {
		LockSettings brief = LockSettings.builder()
			.leaseTime(Duration.ofSeconds(6))
			.commandTimeout(Duration.ofMillis(1500))
			.build();
		CloseableLockTemplate one = template();
		Standstill.repeat(() -> {
			CloseableLockTemplate dying = template(brief);
			dying.acquire(waiting(permit(2)));
			dying.acquire(waiting(permit(2)));
			assertThat(getsOne(one)).isFalse();
			dying.close();
			assertThat(getsOne(one)).as("freed under a running body").isFalse();
		});
		try (LockHandle first = one.acquire(waiting(permit(2))); LockHandle second = one.acquire(waiting(permit(2)))) {
			assertThat(first.isHeld() && second.isHeld()).isTrue();
		}
	}

	private boolean getsOne(CloseableLockTemplate template) {
		return template.tryAcquire(permit(2)).map((permit) -> {
			permit.close();
			return true;
		}).orElse(false);
	}

	@Test
	@DisplayName("are renewed for as long as they are held")
	void acquireWhenHeldLongerThanTheLeaseThenRenewed() {
		CloseableLockTemplate one = template(RENEWED_SOON);
		CloseableLockTemplate two = template();
		try (LockHandle first = one.acquire(waiting(permit(2))); LockHandle second = one.acquire(waiting(permit(2)))) {
			awaitRenewal(first);
			awaitRenewal(second);
			assertThat(two.tryAcquire(permit(2))).isEmpty();
			first.ensureHeld();
			second.ensureHeld();
		}
	}

	@Test
	@DisplayName("are lost one by one, and each loss is reported")
	void acquireWhenAFixedLeaseEndsThenOnlyThatPermitIsLost() throws Exception {
		CloseableLockTemplate one = template();
		AtomicInteger told = new AtomicInteger();
		LockHandle renewed = one.acquire(permit(2));
		LockHandle fixed = briefly(Duration.ofMillis(300), (lease) -> one.acquire(waiting(permit(2)).leaseFor(lease)));
		renewed.onLost((handle) -> told.addAndGet(100));
		fixed.onLost((handle) -> told.incrementAndGet());
		try (LockHandle next = one.acquire(waiting(permit(2)))) {
			assertThat(fixed.isHeld()).isFalse();
			assertThat(next.isHeld() && renewed.isHeld()).isTrue();
			Awaitility.await().atMost(LONG).until(() -> told.get() == 1);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(fixed::close);
			assertThat(next.isHeld()).as("the late release ended nobody else's permit").isTrue();
			assertThat(template().tryAcquire(permit(2))).isEmpty();
		}
		renewed.close();
		assertThat(told).hasValue(1);
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("are refused in time, in line as well as in the store, and leave nothing behind")
	void acquireWhenTheTimeIsOverThenBusy() throws Exception {
		LockHandle elsewhere = template().acquire(permit(1));
		CloseableLockTemplate one = template();
		LockRequest brief = permit(1).waitAtMost(Duration.ofMillis(300));
		long start = System.nanoTime();
		Future<?> first = runInThread(
				() -> assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> one.acquire(brief)));
		Future<?> second = runInThread(
				() -> assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> one.acquire(brief)));
		CompletableFuture<LockHandle> third = one.acquireAsync(brief).toCompletableFuture();
		get(first);
		get(second);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(third))
			.withCauseInstanceOf(LockBusyException.class);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(290), LONG.dividedBy(2));
		Awaitility.await().until(one::isIdle);
		elsewhere.close();
	}

	@Test
	@DisplayName("are not given to a waiter that was interrupted or has cancelled")
	void acquireWhenInterruptedOrCancelledThenTheNextOneGetsIt() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle only = one.acquire(permit(1));
		Thread[] waiting = new Thread[1];
		Future<?> interrupted = runInThread(() -> {
			waiting[0] = Thread.currentThread();
			assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> one.acquire(waiting(permit(1))));
		});
		Awaitility.await().until(() -> waiting[0] != null && waiting[0].getState() == Thread.State.TIMED_WAITING);
		CompletableFuture<LockHandle> cancelled = async(one, permit(1));
		CompletableFuture<LockHandle> last = async(one, permit(1));
		waiting[0].interrupt();
		get(interrupted);
		cancelled.cancel(false);
		only.close();
		get(last).close();
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("refuse one waiter too many")
	void acquireWhenTooManyWaitThenBusyAtOnce() throws Exception {
		CloseableLockTemplate one = template();
		LockRequest few = waiting(permit(1)).maxWaiters(2);
		LockHandle only = template().acquire(permit(1));
		CompletableFuture<LockHandle> first = one.acquireAsync(few).toCompletableFuture();
		CompletableFuture<LockHandle> second = one.acquireAsync(few).toCompletableFuture();
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> one.acquire(few))
			.withMessageContaining("as 2 callers wait in this process already (max waiters)");
		only.close();
		get(first).close();
		get(second).close();
	}

	@Test
	@DisplayName("exclude the lock of the same key")
	void acquireWhenTheLockIsHeldThenNoPermits() {
		CloseableLockTemplate one = template();
		try (LockHandle lock = one.acquire(request())) {
			assertThat(template().tryAcquire(permit(5))).isEmpty();
		}
		try (LockHandle permit = one.acquire(waiting(permit(5)))) {
			assertThat(template().tryAcquire(request())).isEmpty();
		}
	}

	@Test
	@DisplayName("are as many as the request says")
	void acquireWhenTheNumberChangesThenTheOneAskedForCounts() {
		CloseableLockTemplate one = template();
		try (LockHandle first = one.acquire(permit(1))) {
			assertThat(one.tryAcquire(permit(1))).isEmpty();
			LockHandle second = one.acquire(waiting(permit(2)));
			assertThat(one.tryAcquire(permit(2))).isEmpty();
			assertThat(template().tryAcquire(permit(2))).isEmpty();
			second.close();
		}
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("are refused to all waiters when the template shuts down")
	void shutdownWhenSomeWaitThenRefused() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle only = one.acquire(permit(1));
		CompletableFuture<LockHandle> inLine = async(one, permit(1));
		CompletableFuture<LockHandle> inStore = async(one, permit(2));
		assertThat(one.shutdown(Duration.ofMillis(50))).isFalse();
		for (CompletableFuture<LockHandle> waiter : List.of(inLine)) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(waiter))
				.withCauseInstanceOf(LockException.class)
				.withMessageContaining("shutting down");
		}
		Awaitility.await().until(inStore::isDone);
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> one.acquire(permit(9)));
		assertThat(only.isHeld()).isTrue();
	}

}
