package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.distlock.test.TestThreads.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The part of {@link LockTemplateContract} about asynchronous acquisitions. */
@SuppressWarnings({ "NullAway", "resource" })
abstract class AsyncTemplateContract extends TemplateContractPart {

	AsyncTemplateContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest waiting() {
		return request().waitAtMost(LONG);
	}

	private static void closeAndWait(LockHandle handle) throws Exception {
		get(handle.closeAsync());
	}

	@Test
	@DisplayName("acquires what is free, and closeAsync() releases it")
	void acquireAsyncWhenFreeThenHeldUntilClosed() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle handle = get(one.acquireAsync(request()));
		assertThat(handle.isHeld()).isTrue();
		assertThat(template().tryAcquire(request())).isEmpty();
		closeAndWait(handle);
		assertThat(handle.isHeld()).isFalse();
		closeAndWait(handle);
		assertThat(one.isIdle()).isTrue();
		assertThat(template().tryAcquire(request())).isPresent();
	}

	@Test
	@DisplayName("waits for what is held elsewhere")
	void acquireAsyncWhenHeldElsewhereThenGrantedAfterRelease() throws Exception {
		LockHandle elsewhere = template().acquire(request());
		CompletableFuture<LockHandle> waiter = template().acquireAsync(waiting()).toCompletableFuture();
		assertThat(waiter).isNotDone();
		elsewhere.close();
		try (LockHandle handle = get(waiter)) {
			assertThat(handle.fencingToken()).isGreaterThan(elsewhere.fencingToken());
		}
	}

	@Test
	@DisplayName("fails as busy when its time is over, in time, and leaves nothing behind")
	void acquireAsyncWhenBusyThenFailsInTime() throws Exception {
		LockHandle elsewhere = template().acquire(request().calledFrom("Shop.sell"));
		CloseableLockTemplate one = template();
		long start = System.nanoTime();
		Duration waited = timed(() -> {
			CompletionStage<LockHandle> waiter = one.acquireAsync(request().waitAtMost(Duration.ofMillis(300)));
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(waiter))
				.withCauseInstanceOf(LockBusyException.class)
				.withMessageContaining("not acquired within 300ms")
				.withMessageContaining("Shop.sell");
			return null;
		});
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(299));
		assertThat(waited).isLessThan(Duration.ofMillis(300).plus(ROUND_TRIP));
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> get(one.acquireAsync(request().waitAtMost(Duration.ZERO))))
			.withCauseInstanceOf(LockBusyException.class);
		Awaitility.await().until(one::isIdle);
		elsewhere.close();
	}

	@Test
	@DisplayName("fails as busy in time also when the lock never leaves the process")
	void acquireAsyncWhenBusyHereThenFailsInTime() throws Exception {
		CloseableLockTemplate one = template();
		try (LockHandle here = one.acquire(request())) {
			CompletionStage<LockHandle> waiter = one.acquireAsync(request().waitAtMost(Duration.ofMillis(300)));
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(waiter))
				.withCauseInstanceOf(LockBusyException.class);
			assertThat(here.isHeld()).isTrue();
		}
	}

	@Test
	@DisplayName("is owned by the handle: neither the thread nor another handle gets in")
	void acquireAsyncWhenHeldByTheSameThreadThenWaits() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle thread = one.acquire(request());
		CompletableFuture<LockHandle> first = one.acquireAsync(waiting()).toCompletableFuture();
		CompletableFuture<LockHandle> second = one.acquireAsync(waiting()).toCompletableFuture();
		assertThat(first).isNotDone();
		thread.close();
		LockHandle held = get(first);
		assertThat(second).isNotDone();
		CompletableFuture<LockHandle> later = one.acquireAsync(request().waitAtMost(Duration.ZERO))
			.toCompletableFuture();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(later))
			.withCauseInstanceOf(LockBusyException.class);
		assertThat(one.tryAcquire(request().waitAtMost(Duration.ZERO))).isEmpty();
		closeAndWait(held);
		closeAndWait(get(second));
	}

	@Test
	@DisplayName("lets a cancelled waiter go, and releases what it was granted meanwhile")
	void acquireAsyncWhenCancelledThenLeavesTheLine() throws Exception {
		LockHandle elsewhere = template().acquire(request());
		CloseableLockTemplate one = template();
		CompletableFuture<LockHandle> cancelled = one.acquireAsync(waiting()).toCompletableFuture();
		CompletableFuture<LockHandle> patient = one.acquireAsync(waiting()).toCompletableFuture();
		assertThat(cancelled.cancel(false)).isTrue();
		elsewhere.close();
		closeAndWait(get(patient));
		assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> get(cancelled));
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("loses no lock to a cancellation that races with the grant")
	void acquireAsyncWhenCancelledAtTheGrantThenFreeInTheEnd() throws Exception {
		CloseableLockTemplate one = template();
		for (int i = 0; i < 200; i++) {
			CompletableFuture<LockHandle> racing = one.acquireAsync(waiting()).toCompletableFuture();
			for (int spin = 0; spin < i * 50; spin++) {
				Thread.onSpinWait();
			}
			if (!racing.cancel(false)) {
				closeAndWait(get(racing));
			}
		}
		closeAndWait(get(one.acquireAsync(waiting())));
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("serves hundreds of waiters in order without a thread that waits for them")
	void acquireAsyncWhenManyWaitThenServedInOrderWithoutThreads() throws Exception {
		int waiters = 500;
		CloseableLockTemplate one = template();
		LockHandle first = one.acquire(request());
		List<Integer> order = Collections.synchronizedList(new ArrayList<>());
		List<CompletableFuture<Void>> all = new ArrayList<>();
		int threads = Thread.activeCount();
		for (int i = 0; i < waiters; i++) {
			int number = i;
			all.add(one.acquireAsync(waiting()).thenCompose((handle) -> {
				order.add(number);
				return handle.closeAsync();
			}).toCompletableFuture());
		}
		assertThat(Thread.activeCount() - threads).as("others that run meanwhile have some").isLessThan(waiters / 5);
		first.close();
		get(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
		assertThat(order).hasSize(waiters).isSorted();
	}

	@Test
	@DisplayName("lets continuations block")
	void acquireAsyncWhenContinuationBlocksThenOthersGoOn() throws Exception {
		CloseableLockTemplate one = template();
		LockRequest other = LockRequest.of(request().key() + ":other").waitAtMost(LONG);
		LockHandle held = one.acquire(other);
		CompletionStage<Void> nested = one.acquireAsync(waiting()).thenAccept((handle) -> {
			one.acquire(other).close();
			handle.close();
		});
		LockHandle third = get(one.acquireAsync(LockRequest.of(request().key() + ":third")));
		closeAndWait(third);
		held.close();
		get(nested);
	}

	@Test
	@DisplayName("ends a release that comes after the shutdown, unconfirmed")
	void closeAsyncWhenShutDownThenDone() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle async = get(one.acquireAsync(request()));
		LockHandle blocking = one.acquire(LockRequest.of(request().key() + ":other"));
		one.close();
		assertThat(timed(() -> {
			closeAndWait(async);
			blocking.close();
			return null;
		})).isLessThan(ROUND_TRIP);
		assertThat(one.isIdle()).isTrue();
	}

	@Test
	@DisplayName("fails waiters when the template shuts down")
	void acquireAsyncWhenShutDownThenFails() throws Exception {
		LockHandle elsewhere = template().acquire(request());
		CloseableLockTemplate one = template();
		CompletionStage<LockHandle> waiter = one.acquireAsync(waiting());
		one.close();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(waiter))
			.withCauseInstanceOf(LockException.class)
			.withMessageContaining("shutting down");
		elsewhere.close();
		assertThat(template().tryAcquire(request())).isPresent();
	}

}
