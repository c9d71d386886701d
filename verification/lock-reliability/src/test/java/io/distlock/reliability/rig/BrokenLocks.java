package io.distlock.reliability.rig;

import io.distlock.test.Pause;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Consumer;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.core.types.Expiration;

/**
 * Locks that do not hold what they promise: a rig that finds no fault in them is broken.
 */
final class BrokenLocks {

	private BrokenLocks() {
	}

	/** Lets everybody in. */
	static final class None extends Broken {

		None(Duration lease) {
			super(lease);
		}

		@Override
		public Optional<LockHandle> tryAcquire(LockRequest request) {
			return Optional.of(new Handle(request.key(), System.nanoTime(), lease(), () -> {
			}));
		}

	}

	/** What is often written by hand: the release does not ask whose lock it is. */
	static final class Naive extends Broken {

		private final RedisConnectionFactory factory;

		Naive(RedisConnectionFactory factory, Duration lease) {
			super(lease);
			this.factory = factory;
		}

		@Override
		public Optional<LockHandle> tryAcquire(LockRequest request) {
			long until = System.nanoTime() + request.waitTime().orElse(Duration.ZERO).toNanos();
			byte[] key = request.key().getBytes(StandardCharsets.US_ASCII);
			byte[] counter = ("token:" + request.key()).getBytes(StandardCharsets.US_ASCII);
			try (RedisConnection redis = this.factory.getConnection()) {
				while (!Boolean.TRUE.equals(redis.stringCommands()
					.set(key, key, Expiration.milliseconds(lease().toMillis()), SetOption.ifAbsent()))) {
					if (Pause.atMost(Duration.ofNanos(1_000_000), () -> System.nanoTime() - until > 0)) {
						return Optional.empty();
					}
				}
				Long token = redis.stringCommands().incr(counter);
				return Optional.of(new Handle(request.key(), token, lease(), () -> delete(key)));
			}
		}

		private void delete(byte[] key) {
			try (RedisConnection redis = this.factory.getConnection()) {
				redis.keyCommands().del(key);
			}
		}

	}

	private abstract static class Broken implements LockTemplate {

		private final Duration lease;

		Broken(Duration lease) {
			this.lease = lease;
		}

		Duration lease() {
			return this.lease;
		}

		@Override
		public LockHandle acquire(LockRequest request) {
			return tryAcquire(request).orElseThrow();
		}

		@Override
		public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Lock getLock(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ReadWriteLock getReadWriteLock(String key) {
			throw new UnsupportedOperationException();
		}

	}

	private record Handle(String key, long fencingToken, long deadline, Runnable release) implements LockHandle {

		Handle(String key, long fencingToken, Duration lease, Runnable release) {
			this(key, fencingToken, System.nanoTime() + lease.toNanos(), release);
		}

		@Override
		public boolean isHeld() {
			return System.nanoTime() - this.deadline < 0;
		}

		@Override
		public Duration remaining() {
			return Duration.ofNanos(Math.max(0, this.deadline - System.nanoTime()));
		}

		@Override
		public void ensureHeld() {
			throw new UnsupportedOperationException();
		}

		@Override
		public Registration onLost(Consumer<LockHandle> callback) {
			return () -> {
				// Never notified.
			};
		}

		@Override
		public void close() {
			this.release.run();
		}

		@Override
		public CompletionStage<Void> closeAsync() {
			close();
			return CompletableFuture.completedFuture(null);
		}

	}

}
