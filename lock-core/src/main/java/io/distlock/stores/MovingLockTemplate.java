package io.distlock.stores;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BooleanSupplier;

import io.distlock.EngineHandle;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.spi.LockClock;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;

/**
 * Acquires each lock in an old store, then in the next one. The lock is held while it is
 * held in both stores, and lost when it is lost in one. It is released in the opposite
 * order. Locks move from one store to another without a gap in three steps:
 * <ol>
 * <li>all processes acquire the locks in the old store;
 * <li>all processes acquire them with a template of this kind;
 * <li>all processes acquire them in the next store.
 * </ol>
 * While processes of two neighbouring steps run at the same time, they still exclude each
 * other, because both acquire the lock in one store. Processes of the first and the third
 * step do not exclude each other.
 * <p>
 * The fencing token is that of the old store. Both templates may be of any kind, even
 * templates over locks of another library. Views of a lock need
 * {@link LockTemplate#holdCount} of the old template.
 */
public final class MovingLockTemplate implements LockTemplate {

	private static final String LIMIT = "what the old store has left of the wait time";

	private static final long ROUND_UP = TimeUnit.MILLISECONDS.toNanos(1) - 1;

	private final LockTemplate old;

	private final LockTemplate next;

	private final Duration waitTime;

	private final LockClock clock = LockClock.system();

	/**
	 * Creates a template of two others. The caller has to close those two.
	 * @param old the template that acquires first
	 * @param next the template that then acquires the same locks
	 * @param waitTime how long to wait for both stores together, if a request sets no
	 * wait time
	 */
	public MovingLockTemplate(LockTemplate old, LockTemplate next, Duration waitTime) {
		this.old = old;
		this.next = next;
		this.waitTime = waitTime;
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		return take(request, LockTemplate::acquire).orElseThrow();
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return take(request, (template, part) -> template.tryAcquire(part).orElse(null));
	}

	private Optional<LockHandle> take(LockRequest request, Attempt attempt) {
		Deadline deadline = new Deadline(request);
		LockHandle taken = attempt.make(this.old, deadline.all());
		if (taken == null) {
			return Optional.empty();
		}
		LockHandle second = null;
		try {
			second = attempt.make(this.next, deadline.rest());
			taken.ensureHeld();
			if (second == null) {
				giveBack(taken);
				return Optional.empty();
			}
			LockHandle both = LockScopes.inBoth(taken, second);
			second.ensureHeld();
			return Optional.of(both);
		}
		catch (LockStoreException ex) {
			// The caller has already waited for a store.
			giveBackAsync(taken);
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			try {
				throwLoss(taken, ex);
			}
			finally {
				giveBack(taken, second);
			}
			throw ex;
		}
	}

	/** Gives the lock back in both stores, in the opposite order. */
	private static void giveBack(LockHandle taken, @Nullable LockHandle second) {
		try {
			if (second != null) {
				giveBack(second);
			}
		}
		finally {
			giveBack(taken);
		}
	}

	/**
	 * Throws a loss of the lock instead of a busy lock in the next store, because the
	 * loss matters more.
	 */
	private static void throwLoss(LockHandle taken, Throwable thrown) {
		if (thrown instanceof LockBusyException) {
			taken.ensureHeld();
		}
		LockScopes.replaceInterrupt(taken, thrown);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		Deadline deadline = new Deadline(request);
		CompletableFuture<LockHandle> inOld = this.old.acquireAsync(deadline.all()).toCompletableFuture();
		try {
			// Continuations run on the same threads as those of the engine.
			CompletableFuture<LockHandle> inBoth = inOld.newIncompleteFuture();
			endWith(inBoth, inOld);
			inOld.whenComplete((taken, failure) -> {
				if (failure != null) {
					inBoth.completeExceptionally(FutureFailures.unwrap(failure));
				}
				else if (inBoth.isDone()) {
					giveBackAsync(taken);
				}
				else {
					takeNext(taken, deadline, inBoth);
				}
			});
			return inBoth;
		}
		catch (RuntimeException | Error ex) {
			LockScopes.giveUp(inOld);
			throw ex;
		}
	}

	private void takeNext(LockHandle taken, Deadline deadline, CompletableFuture<LockHandle> inBoth) {
		CompletableFuture<LockHandle> inNext = null;
		try {
			inNext = this.next.acquireAsync(deadline.rest()).toCompletableFuture();
			endWith(inBoth, inNext);
			inNext.whenComplete((second, failure) -> {
				if (failure != null) {
					giveBack(taken, FutureFailures.unwrap(failure), inBoth);
				}
				else {
					complete(taken, second, inBoth);
				}
			});
		}
		// On this thread no caller would see the exception or release the acquired lock.
		catch (RuntimeException | Error ex) {
			try {
				if (inNext != null) {
					LockScopes.giveUp(inNext);
				}
			}
			finally {
				giveBack(taken, ex, inBoth);
			}
		}
	}

	/** Ends the wait if the caller completes or cancels the future. */
	private static void endWith(CompletableFuture<LockHandle> all, CompletableFuture<LockHandle> waiting) {
		all.whenComplete((handle, failure) -> waiting.cancel(false));
	}

	private static void complete(LockHandle taken, LockHandle second, CompletableFuture<LockHandle> inBoth) {
		try {
			LockHandle both = LockScopes.inBoth(taken, second);
			LockLostException loss = lossOf(both);
			if (loss != null) {
				giveBack(both, loss, inBoth);
			}
			else if (!inBoth.complete(both)) {
				giveBackAsync(both);
			}
		}
		catch (RuntimeException | Error ex) {
			giveBackAsync(second);
			giveBack(taken, ex, inBoth);
		}
	}

	/**
	 * Completes the future when all locks are released. If a store did not answer,
	 * completes it at once, because the caller has already waited for the store.
	 */
	private static void giveBack(LockHandle taken, Throwable cause, CompletableFuture<LockHandle> inBoth) {
		try {
			LockLostException loss = lossOf(taken);
			CompletionStage<?> end = giveBackAsync(taken);
			if (loss == null && cause instanceof LockStoreException) {
				inBoth.completeExceptionally(cause);
			}
			else {
				end.whenComplete((done, failure) -> inBoth.completeExceptionally((loss != null) ? loss : cause));
			}
		}
		catch (RuntimeException | Error ex) {
			taken.closeAsync();
			inBoth.completeExceptionally(cause);
		}
	}

	private static @Nullable LockLostException lossOf(LockHandle taken) {
		try {
			taken.ensureHeld();
			return null;
		}
		catch (LockLostException ex) {
			return ex;
		}
	}

	/**
	 * Releases the lock and ignores a loss, because no body has run and the caller gets
	 * no lock.
	 */
	private static void giveBack(LockHandle taken) {
		markUnused(taken);
		try {
			taken.close();
		}
		catch (LockLostException ex) {
			// Listeners have been notified of the loss.
		}
	}

	private static CompletionStage<?> giveBackAsync(LockHandle taken) {
		markUnused(taken);
		return taken.closeAsync();
	}

	private static void markUnused(LockHandle taken) {
		if (taken instanceof EngineHandle handle) {
			handle.markUnused();
		}
	}

	@Override
	public boolean isLocked(String key) {
		return this.old.isLocked(key) || this.next.isLocked(key);
	}

	@Override
	public int holdCount(String key) {
		return Math.min(this.old.holdCount(key), this.next.holdCount(key));
	}

	@Override
	public Lock getLock(String key) {
		return new MovingLock(key, this.old.getLock(key), this.next.getLock(key), isHeld(key), this.clock);
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		ReadWriteLock inOld = this.old.getReadWriteLock(key);
		ReadWriteLock inNext = this.next.getReadWriteLock(key);
		return new ReadWrite(new MovingLock(key, inOld.readLock(), inNext.readLock(), isHeld(key), this.clock),
				new MovingLock(key, inOld.writeLock(), inNext.writeLock(), isHeld(key), this.clock));
	}

	private BooleanSupplier isHeld(String key) {
		return () -> this.old.isHeldByCurrentThread(key);
	}

	/** One step of an acquisition. */
	@FunctionalInterface
	private interface Attempt {

		@Nullable LockHandle make(LockTemplate template, LockRequest request);

	}

	/**
	 * Both locks of a key.
	 *
	 * @param readLock the shared lock
	 * @param writeLock the exclusive lock
	 */
	private record ReadWrite(Lock readLock, Lock writeLock) implements ReadWriteLock {
	}

	/** The wait time of a request, which counts for both stores together. */
	private final class Deadline {

		private final LockRequest request;

		private final long giveUp;

		Deadline(LockRequest request) {
			Duration wait = request.waitTime().orElse(MovingLockTemplate.this.waitTime);
			this.request = request.waitAtMost(wait);
			Duration limit = request.waitLimit().map(LockRequest.WaitLimit::time).orElse(wait);
			this.giveUp = now() + nanos((limit.compareTo(wait) < 0) ? limit : wait);
		}

		/**
		 * Limits a time to half of the range of the clock, because the clock may wrap.
		 */
		private static long nanos(Duration time) {
			long most = Long.MAX_VALUE / 2;
			return (time.compareTo(Duration.ofNanos(most)) < 0) ? time.toNanos() : most;
		}

		private long now() {
			return MovingLockTemplate.this.clock.nanoTime();
		}

		LockRequest all() {
			return this.request;
		}

		/**
		 * Returns the request with the rest of the wait time, in whole milliseconds for
		 * messages.
		 */
		LockRequest rest() {
			long left = Math.max(0, this.giveUp - now());
			return this.request.limitWait(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(left + ROUND_UP)), LIMIT);
		}

	}

}
