package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The part of {@link LockTemplateContract} about how many callers may wait. */
@SuppressWarnings({ "NullAway", "resource" })
abstract class CrowdContract extends TemplateContractPart {

	CrowdContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest waiting() {
		return request().waitAtMost(LONG).maxWaiters(2);
	}

	@Test
	@DisplayName("refuses one waiter too many at once, and only as long as so many wait")
	void acquireWhenTooManyWaitThenBusyAtOnce() throws Exception {
		LockHandle elsewhere = template().acquire(request().calledFrom("Shop.sell"));
		CloseableLockTemplate one = template();
		CompletableFuture<LockHandle> first = one.acquireAsync(waiting()).toCompletableFuture();
		CompletableFuture<LockHandle> second = one.acquireAsync(waiting()).toCompletableFuture();
		long start = System.nanoTime();
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> one.acquire(waiting()))
			.withMessageStartingWith("Lock '" + request().key()
					+ "' is busy: not waited for, as 2 callers wait in this process already (max waiters); ");
		assertThat(one.tryAcquire(waiting())).isEmpty();
		assertThat(one.getLock(request().key()).tryLock()).as("the default has no limit, so it asks").isFalse();
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> one.acquireAsync(waiting()).toCompletableFuture().get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockBusyException.class);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(2));
		first.cancel(false);
		CompletableFuture<LockHandle> third = one.acquireAsync(waiting()).toCompletableFuture();
		elsewhere.close();
		second.get(20, TimeUnit.SECONDS).close();
		third.get(20, TimeUnit.SECONDS).close();
	}

	@Test
	@DisplayName("turns away lock() too, and never makes it an unlocked success")
	void lockWhenTooManyWaitThenBusyAtOnce() {
		LockHandle elsewhere = template().acquire(request());
		CloseableLockTemplate one = template(
				LockSettings.builder().maxWaiters(1).commandTimeout(Duration.ofSeconds(10)).build());
		CompletableFuture<LockHandle> waiter = one.acquireAsync(request().waitAtMost(LONG)).toCompletableFuture();
		Lock lock = one.getLock(request().key());
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(lock::lock)
			.withMessageContaining("(max waiters)");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(lock::lockInterruptibly);
		assertThat(lock.tryLock()).isFalse();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		waiter.cancel(false);
		elsewhere.close();
	}

	@Test
	@DisplayName("never turns away the holder itself")
	void acquireWhenNestedThenNotCounted() {
		CloseableLockTemplate one = template();
		LockRequest alone = request().waitAtMost(LONG).maxWaiters(1);
		try (LockHandle outer = one.acquire(alone)) {
			CompletableFuture<LockHandle> waiter = one.acquireAsync(alone).toCompletableFuture();
			try (LockHandle inner = one.acquire(alone)) {
				assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			}
			waiter.cancel(false);
		}
	}

}
