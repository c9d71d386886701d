package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store that answers refuses each change, for instance because its disk is full. It
 * refuses to end requests, too. One of these shows whether it still does. On virtual
 * time.
 */
class RefusedEndsTests {

	private static final int KEYS = 100;

	private static final Duration LEASE = Duration.ofMinutes(1);

	/** Less than a lease, so that each end still counts. */
	private static final Duration WHILE = Duration.ofSeconds(30);

	/** Two of the first pauses for each key, and then five a second of all. */
	private static final long MOST = KEYS * 5 + WHILE.toSeconds() * 10;

	private final ModelClock time = new ModelClock();

	private final FullStore store = new FullStore(
			new InMemoryLockStore(new InMemoryLockServer(this.time.elsewhere(), Runnable::run)));

	private final LockEngine engine = new LockEngine(
			new EngineContext(this.store, LockSettings.builder().leaseTime(LEASE).build(), this.time, "here",
					LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5));

	@Test
	void endsOfManyKeysAreRepeatedLikeThoseOfOne() {
		this.store.full = true;
		for (int i = 0; i < KEYS; i++) {
			assertThat(acquire("key" + i)).isCompletedExceptionally();
		}
		pass(WHILE);
		assertThat(this.store.ends).isBetween((long) KEYS, MOST);
		this.store.full = false;
		pass(Duration.ofSeconds(1));
		assertThat(this.engine.isIdle()).isTrue();
		assertThat(acquire("key0")).isCompleted();
	}

	private CompletableFuture<?> acquire(String key) {
		return this.engine.acquireAsync(LockRequest.of(key).waitAtMost(Duration.ZERO)).toCompletableFuture();
	}

	private void pass(Duration duration) {
		long end = this.time.nanoTime() + duration.toNanos();
		while (end - this.time.nanoTime() > 0) {
			this.time.moveTo(this.time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
			this.engine.housekeeper().visitDue(this.time.nanoTime());
		}
	}

	/** Answers each change while it is full. */
	private static final class FullStore extends DelegatingLockStore {

		private boolean full;

		private long ends;

		FullStore(LockStore store) {
			super(store);
		}

		private static <T> CompletionStage<T> refused() {
			return CompletableFuture.failedFuture(new LockStoreException("", "No space left on device", null));
		}

		@Override
		public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
			return this.full ? refused() : super.acquire(command, caller);
		}

		@Override
		public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor,
				CallingThread caller) {
			this.ends++;
			return this.full ? refused() : super.finish(key, request, keepFor, caller);
		}

	}

}
