package io.distlock.benchmark.jmh;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;

/** Grants everything to everybody at no cost. */
final class FreeLockTemplate implements LockTemplate {

	@Override
	public LockHandle acquire(LockRequest request) {
		return new FreeHandle(request.key());
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return Optional.of(acquire(request));
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		return CompletableFuture.completedFuture(acquire(request));
	}

	@Override
	public Lock getLock(String key) {
		return new ReentrantLock();
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		return new ReentrantReadWriteLock();
	}

	/** Held for ever. */
	private record FreeHandle(String key) implements LockHandle {

		@Override
		public long fencingToken() {
			return 1;
		}

		@Override
		public boolean isHeld() {
			return true;
		}

		@Override
		public Duration remaining() {
			return Duration.ofSeconds(30);
		}

		@Override
		public void ensureHeld() {
		}

		@Override
		public Registration onLost(Consumer<LockHandle> callback) {
			return () -> {
			};
		}

		@Override
		public void close() {
		}

		@Override
		public CompletionStage<Void> closeAsync() {
			return CompletableFuture.completedFuture(null);
		}

	}

}
