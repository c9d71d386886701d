package io.distlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Function;

import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks that hold across all processes sharing one store. Thread-safe.
 * <p>
 * Reentrant per thread: a nested acquisition of a key by the thread that holds it
 * succeeds at once and sends no command. Of nested acquisitions only the outermost sets
 * the lease, and the minimum and maximum hold. Each acquisition of a permit takes a
 * further permit.
 * <p>
 * The methods that take a body ({@code execute}, {@code run}, {@code tryExecute},
 * {@code tryRun}, {@code executeAsync}) release the lock whatever happens, and make it
 * {@link LockContext#current()} while the body runs. Prefer them to {@code acquire},
 * after which the caller has to close the handle.
 * <p>
 * Each method that acquires fails as {@link #acquire(LockRequest)} does. Those that begin
 * with {@code try} report a busy lock as their result instead. Those that return a stage
 * throw {@link IllegalArgumentException} and {@link UnsupportedOperationException}
 * themselves and fail the stage with everything else. A method with a body throws
 * {@link LockLostException} if the body ended normally but the lock was lost meanwhile; a
 * loss is suppressed onto what the body threw. Methods with a {@code String} take the
 * template's defaults.
 */
public interface LockTemplate {

	/**
	 * Acquires a lock. Blocks the calling thread for up to the request's wait time.
	 * @param request the lock and its options
	 * @return the handle; close it when done, best with try-with-resources
	 * @throws LockBusyException if the lock stayed busy for the whole wait time, or too
	 * many callers wait already
	 * @throws LockStoreException if the store could not answer
	 * @throws LockInterruptedException if interrupted while waiting; the flag stays set
	 * @throws LockLostException if this process was frozen for so long that the lock was
	 * over before the acquisition returned
	 * @throws LockException if the template is shutting down, or the thread holds the
	 * lock shared and asks for it exclusively
	 * @throws IllegalArgumentException if the key is null or blank, or the request has a
	 * minimum hold and is shared or for a permit
	 * @throws UnsupportedOperationException if the request is for a permit and the store
	 * keeps none
	 */
	LockHandle acquire(LockRequest request);

	/**
	 * Acquires a lock like {@link #acquire(LockRequest)}, but reports a busy lock as an
	 * empty result. Blocks the calling thread for up to the request's wait time, or the
	 * template's if the request sets none; with a wait time of zero it tries once.
	 * @param request the lock and its options
	 * @return the handle, or empty if the lock stayed busy for the whole wait time, or
	 * too many callers wait already
	 */
	Optional<LockHandle> tryAcquire(LockRequest request);

	/**
	 * Acquires a lock without ever blocking a thread, waiting up to the request's wait
	 * time. The owner is the handle, not a thread: any thread may close it, best with
	 * {@link LockHandle#closeAsync()}, and until then it is renewed. It is not reentrant;
	 * a thread that holds the key waits for itself here. Prefer {@link #executeAsync},
	 * which releases the lock also if the body cannot be started.
	 * <p>
	 * Continuations run on a thread of their own and may block; one that is attached when
	 * the lock is already there runs on the thread that attaches it, unless it is one of
	 * the {@code …Async} kind. Cancelling the stage's future, or completing it otherwise,
	 * ends the wait; a lock granted meanwhile is released.
	 * @param request the lock and its options
	 * @return the handle
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Runs a body under the lock and releases it, whatever happens. Blocks the calling
	 * thread for up to the request's wait time, for the body, and for the release as
	 * {@link LockHandle#close()} does.
	 * @param request the lock and its options
	 * @param body what to run; never runs without the lock
	 * @param <T> the result
	 * @param <E> what the body may throw
	 * @return the body's result
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 * @throws LockLostException if the body ended normally but the lock was lost
	 * meanwhile
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> body)
			throws E {
		return callUnder(acquire(request), body);
	}

	/**
	 * Runs a body without a result like {@link #execute(LockRequest, LockCallback)}.
	 * @param request the lock and its options
	 * @param body what to run; never runs without the lock
	 * @param <E> what the body may throw
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 */
	default <E extends Exception> void run(LockRequest request, LockAction<E> body) throws E {
		callUnder(acquire(request), whetherRun(body));
	}

	/**
	 * Runs a body under the lock like {@link #execute(LockRequest, LockCallback)}, but
	 * reports a busy lock as an empty result, after the request's wait time.
	 * @param request the lock and its options
	 * @param body what to run; never runs without the lock. It must not return
	 * {@code null}, which would look like a busy lock: use {@link #tryRun} for a body
	 * without a result
	 * @param <T> the result
	 * @param <E> what the body may throw
	 * @return the body's result, or empty if the lock stayed busy and the body did not
	 * run
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 * @throws IllegalStateException if the body returned {@code null}; it has run, and
	 * the lock is released
	 */
	default <T, E extends Exception> Optional<T> tryExecute(LockRequest request, LockCallback<T, E> body) throws E {
		Optional<LockHandle> lock = tryAcquire(request);
		return lock.isPresent() ? Optional.of(callUnder(lock.get(), withResult(body))) : Optional.empty();
	}

	/**
	 * Runs a body without a result like {@link #run(LockRequest, LockAction)}, but
	 * reports whether the lock was acquired within the request's wait time.
	 * @param request the lock and its options
	 * @param body what to run; never runs without the lock
	 * @param <E> what the body may throw
	 * @return {@code true} if the body ran, {@code false} if the lock stayed busy
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 */
	default <E extends Exception> boolean tryRun(LockRequest request, LockAction<E> body) throws E {
		Optional<LockHandle> lock = tryAcquire(request);
		return lock.isPresent() && callUnder(lock.get(), whetherRun(body));
	}

	/**
	 * Runs an asynchronous body under the lock and releases the lock when the body's
	 * stage has completed. Never blocks a thread. The lock is released in every case:
	 * also if the body throws, returns {@code null} or is cancelled. It is
	 * {@link LockContext#current()} while the body function runs, which is not the case
	 * in the continuations of its stage: pass the handle on to those.
	 * <p>
	 * The body function runs on a thread of its own and may block, or on the calling
	 * thread if the lock is there at once. The stage's future may be cancelled: this ends
	 * the wait for the lock, or cancels the body's stage, whose completion then releases
	 * the lock. With {@link OnLost#INTERRUPT} a loss of the lock cancels the body's stage
	 * too.
	 * @param request the lock and its options
	 * @param body starts the work and returns its stage; never runs without the lock
	 * @param <T> the result
	 * @return the result, completed after the release; fails with what the body failed
	 * with, a loss of the lock suppressed onto it; with {@link LockLostException} if the
	 * body succeeded but the lock was lost meanwhile; with {@link IllegalStateException}
	 * if the body returned {@code null} instead of a stage; and as
	 * {@link #acquireAsync(LockRequest)} does if there is no lock
	 */
	default <T extends @Nullable Object> CompletionStage<T> executeAsync(LockRequest request,
			Function<? super LockHandle, ? extends @Nullable CompletionStage<T>> body) {
		return new LockedStage<T>(body).after(acquireAsync(request).toCompletableFuture());
	}

	/**
	 * Acquires a lock like {@link #acquire(LockRequest)}, with the template's defaults.
	 * @param key the lock's identity, not blank
	 * @return the handle; close it when done, best with try-with-resources
	 */
	default LockHandle acquire(String key) {
		return acquire(LockRequest.of(key));
	}

	/**
	 * Tries exactly once to acquire a lock, with the template's other defaults. Does not
	 * wait for a busy lock, only for the store's answer; to wait use
	 * {@link #tryAcquire(LockRequest)}.
	 * @param key the lock's identity, not blank
	 * @return the handle, or empty if the lock is busy
	 */
	default Optional<LockHandle> tryAcquire(String key) {
		return tryAcquire(LockRequest.of(key).waitAtMost(Duration.ZERO));
	}

	/**
	 * Acquires a lock like {@link #acquireAsync(LockRequest)}, with the template's
	 * defaults.
	 * @param key the lock's identity, not blank
	 * @return the handle
	 */
	default CompletionStage<LockHandle> acquireAsync(String key) {
		return acquireAsync(LockRequest.of(key));
	}

	/**
	 * Runs a body like {@link #execute(LockRequest, LockCallback)}, with the template's
	 * defaults.
	 * @param key the lock's identity, not blank
	 * @param body what to run; never runs without the lock
	 * @param <T> the result
	 * @param <E> what the body may throw
	 * @return the body's result
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 * @throws LockLostException if the body ended normally but the lock was lost
	 * meanwhile
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(String key, LockCallback<T, E> body) throws E {
		return execute(LockRequest.of(key), body);
	}

	/**
	 * Runs a body like {@link #run(LockRequest, LockAction)}, with the template's
	 * defaults.
	 * @param key the lock's identity, not blank
	 * @param body what to run; never runs without the lock
	 * @param <E> what the body may throw
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 */
	default <E extends Exception> void run(String key, LockAction<E> body) throws E {
		run(LockRequest.of(key), body);
	}

	/**
	 * Runs a body like {@link #tryExecute(LockRequest, LockCallback)}, but tries exactly
	 * once to acquire the lock, as {@link #tryAcquire(String)} does.
	 * @param key the lock's identity, not blank
	 * @param body what to run; never runs without the lock, and must not return
	 * {@code null}
	 * @param <T> the result
	 * @param <E> what the body may throw
	 * @return the body's result, or empty if the lock is busy and the body did not run
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 * @throws IllegalStateException if the body returned {@code null}
	 */
	default <T, E extends Exception> Optional<T> tryExecute(String key, LockCallback<T, E> body) throws E {
		return tryExecute(LockRequest.of(key).waitAtMost(Duration.ZERO), body);
	}

	/**
	 * Runs a body like {@link #tryRun(LockRequest, LockAction)}, but tries exactly once
	 * to acquire the lock, as {@link #tryAcquire(String)} does.
	 * @param key the lock's identity, not blank
	 * @param body what to run; never runs without the lock
	 * @param <E> what the body may throw
	 * @return {@code true} if the body ran, {@code false} if the lock is busy
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 */
	default <E extends Exception> boolean tryRun(String key, LockAction<E> body) throws E {
		return tryRun(LockRequest.of(key).waitAtMost(Duration.ZERO), body);
	}

	/**
	 * Runs an asynchronous body like {@link #executeAsync(LockRequest, Function)}, with
	 * the template's defaults.
	 * @param key the lock's identity, not blank
	 * @param body starts the work and returns its stage; never runs without the lock
	 * @param <T> the result
	 * @return the result, as of {@link #executeAsync(LockRequest, Function)}
	 */
	default <T extends @Nullable Object> CompletionStage<T> executeAsync(String key,
			Function<? super LockHandle, ? extends @Nullable CompletionStage<T>> body) {
		return executeAsync(LockRequest.of(key), body);
	}

	/**
	 * Returns whether any caller of any process holds the lock, or a permit of it, or a
	 * minimum hold keeps it taken. Asks the store and blocks, at most for the command
	 * timeout. The answer may be outdated when it arrives: to act on a free lock, acquire
	 * it.
	 * @param key the lock's identity, not blank
	 * @return {@code true} if the lock is not free
	 * @throws IllegalArgumentException if the key is null or blank
	 * @throws LockStoreException if the store could not answer
	 * @throws LockInterruptedException if interrupted; the flag stays set
	 */
	default boolean isLocked(String key) {
		throw new UnsupportedOperationException(getClass().getName() + " cannot read locks");
	}

	/**
	 * Returns how often the calling thread holds the lock: acquisitions in any mode that
	 * are not released yet, by handles and by {@link Lock}. Does not ask the store and
	 * does not block. Permits do not count, nor what was acquired asynchronously: no
	 * thread owns it.
	 * @param key the lock's identity, not blank
	 * @return zero if the thread does not hold the lock, or lost it
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	default int holdCount(String key) {
		throw new UnsupportedOperationException(getClass().getName() + " knows no owners of locks");
	}

	/**
	 * Returns whether the calling thread holds the lock, as {@link #holdCount} counts.
	 * @param key the lock's identity, not blank
	 * @return {@code true} if it holds it at least once
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	default boolean isHeldByCurrentThread(String key) {
		return holdCount(key) > 0;
	}

	/**
	 * Returns the lock as {@link java.util.concurrent.locks.Lock}, owned by threads and
	 * reentrant. {@code lock()} waits for ever and cannot be interrupted;
	 * {@code unlock()} by a thread that does not hold it throws
	 * {@link IllegalMonitorStateException}, after a loss {@link LockLostException};
	 * {@code newCondition()} is not supported. Any method may throw
	 * {@link LockStoreException}; those that acquire may throw {@link LockBusyException}
	 * if too many callers wait already, {@link LockException} if the template is shutting
	 * down, or {@link LockLostException} if this process was frozen so long that the lock
	 * was over before they returned. Cheap and does not block; views of one key are
	 * interchangeable.
	 * @param key the lock's identity, not blank
	 * @return a view of the lock
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	Lock getLock(String key);

	/**
	 * Returns the lock as {@link java.util.concurrent.locks.ReadWriteLock}: any number of
	 * threads of any processes may hold {@code readLock()} at the same time, or one alone
	 * {@code writeLock()}, which is the same as {@link #getLock}. What is said there
	 * holds for both. A waiting writer blocks readers that arrive later.
	 * <p>
	 * A thread that holds the write lock may acquire the read lock too. Once it has
	 * released the write lock and still holds the read lock, others may read. A thread
	 * that holds the read lock and asks for the write lock would wait for itself: any
	 * attempt throws a {@link LockException}. Cheap and does not block; views of one key
	 * are interchangeable.
	 * @param key the lock's identity, not blank
	 * @return a view of the lock
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	ReadWriteLock getReadWriteLock(String key);

	private static <T extends @Nullable Object, E extends Exception> T callUnder(LockHandle acquired,
			LockCallback<T, E> body) throws E {
		try (LockHandle lock = acquired; LockScopes.Scope scope = LockScopes.enter(lock)) {
			try {
				return body.call(lock);
			}
			catch (Exception ex) {
				LockScopes.replaceInterrupt(lock, ex);
				throw ex;
			}
		}
	}

	private static <E extends Exception> LockCallback<Boolean, E> whetherRun(LockAction<E> body) {
		return (lock) -> {
			body.run(lock);
			return true;
		};
	}

	/** Refuses a result that would look like a busy lock. */
	@SuppressWarnings("ConstantValue")
	private static <T, E extends Exception> LockCallback<T, E> withResult(LockCallback<T, E> body) {
		return (lock) -> {
			T result = body.call(lock);
			if (result == null) {
				throw new IllegalStateException("The body of tryExecute under lock '" + KeyText.of(lock.key())
						+ "' returned null, which would look like a busy lock. Return a value, or use tryRun");
			}
			return result;
		};
	}

}
