package io.distlock.test.records;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockReleased;
import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands for a lock do not wait for an observer of its release. */
class BlockedObserverTests {

	private static final LockRequest LOCK = LockRequest.of("stock:42");

	private final MemoryPlace place = new MemoryPlace();

	private final CloseableLockTemplate elsewhere = template(LockObserver.NONE);

	private Runnable onFirstRelease = () -> {
	};

	private final AcquisitionObserver observer = new AcquisitionObserver() {

		@Override
		public void released(LockReleased released) {
			Runnable first = BlockedObserverTests.this.onFirstRelease;
			BlockedObserverTests.this.onFirstRelease = () -> {
			};
			first.run();
		}

	};

	private final CloseableLockTemplate here = template(new LockObserver() {

		@Override
		public AcquisitionObserver acquiring(String store, LockRequest request) {
			return BlockedObserverTests.this.observer;
		}

	});

	private CloseableLockTemplate template(LockObserver observer) {
		return LockTemplateBuilder.forStore(new RecordLockStore(this.place.newRecords(), RecordSettings.NOTIFIED))
			.observer(observer)
			.build();
	}

	@AfterEach
	void close() {
		this.here.close();
		this.elsewhere.close();
	}

	@Test
	void releasedWhenTheObserverBlocksThenOthersGetTheLock() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		this.onFirstRelease = () -> {
			begun.countDown();
			await(goOn);
		};
		CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> this.here.acquire(LOCK).close());
		try {
			await(begun);
			try (LockHandle held = this.elsewhere.acquire(LOCK)) {
				assertThat(held.isHeld()).as("another process").isTrue();
			}
			try (LockHandle held = this.here.acquire(LOCK)) {
				assertThat(held.isHeld()).as("another thread").isTrue();
			}
			assertThat(blocked).isNotDone();
		}
		finally {
			goOn.countDown();
		}
		blocked.get(30, TimeUnit.SECONDS);
	}

	@Test
	void releasedWhenTheObserverUsesTheSameLockThenItGetsIt() {
		CompletableFuture<Boolean> again = new CompletableFuture<>();
		this.onFirstRelease = () -> {
			try (LockHandle held = this.here.acquire(LOCK)) {
				again.complete(held.isHeld());
			}
			catch (RuntimeException ex) {
				again.completeExceptionally(ex);
			}
		};
		this.here.acquire(LOCK).close();
		assertThat(again).isCompletedWithValue(true);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
