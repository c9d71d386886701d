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
 * Acquires locks that are valid across all processes that share one store. Templates are
 * thread-safe.
 * <p>
 * Locks are reentrant per thread. A nested acquisition of a key by the thread that holds
 * it succeeds at once and sends no command. If acquisitions are nested, only the
 * outermost one sets the lease, the minimum hold and the maximum hold. Each acquisition
 * of a permit takes a further permit.
 * <p>
 * The methods that take a body ({@code execute}, {@code run}, {@code tryExecute},
 * {@code tryRun}, {@code executeAsync}) always release the lock. While the body runs, the
 * lock is {@link LockContext#current()}. Prefer these methods to {@code acquire}, because
 * after {@code acquire} the caller has to close the handle.
 * <p>
 * Each method that acquires a lock fails as {@link #acquire(LockRequest)} does. Methods
 * whose names begin with {@code try} report a busy lock as their result instead. Methods
 * that return a stage throw {@link IllegalArgumentException} directly. An
 * {@link UnsupportedOperationException} is thrown directly too, unless the second of two
 * stores refuses the request. All other failures fail the stage. A method with a body
 * throws {@link LockLostException} if the body ended normally but the lock was lost
 * meanwhile. If the body threw an exception, a loss is added to it as a suppressed
 * exception. Methods with a {@code String} use the template's defaults.
 */
public interface LockTemplate {

	/**
	 * Acquires a lock. Blocks the calling thread for up to the request's wait time.
	 * @param request the lock and its options
	 * @return the handle; close it when done, best with try-with-resources
	 * @throws LockBusyException if the lock stayed busy for the whole wait time, or too
	 * many callers wait already
	 * @throws LockStoreException if the store could not answer
	 * @throws LockInterruptedException if the thread was interrupted while it waited; the
	 * interrupt flag stays set
	 * @throws LockLostException if this process was frozen for so long that the lease
	 * ended before this method returned
	 * @throws LockException if the template is shutting down, or the thread holds the
	 * lock shared and asks for it exclusively
	 * @throws IllegalArgumentException if the key is null or blank, or the request has a
	 * minimum hold and is shared or for a permit
	 * @throws UnsupportedOperationException if the request is for a permit and the store
	 * cannot keep permits
	 */
	LockHandle acquire(LockRequest request);

	/**
	 * Acquires a lock like {@link #acquire(LockRequest)}, but reports a busy lock as an
	 * empty result. Blocks the calling thread for up to the request's wait time. If the
	 * request sets none, the template's wait time counts. With a wait time of zero, this
	 * method tries once.
	 * @param request the lock and its options
	 * @return the handle, or empty if the lock stayed busy for the whole wait time, or
	 * too many callers wait already
	 */
	Optional<LockHandle> tryAcquire(LockRequest request);

	/**
	 * Acquires a lock without ever blocking a thread. The wait ends after the request's
	 * wait time. The owner is the handle, not a thread. Any thread may close the handle,
	 * best with {@link LockHandle#closeAsync()}. Until then the lock is renewed. It is
	 * not reentrant: a thread that holds the key waits for itself here. Prefer
	 * {@link #executeAsync}, which releases the lock even if the body cannot be started.
	 * <p>
	 * Continuations run on a separate thread and may block. A continuation that is
	 * attached after the lock was acquired runs on the thread that attaches it, unless an
	 * {@code …Async} method attaches it. The wait ends if the caller cancels the stage's
	 * future, or completes it in another way. A lock that was granted meanwhile is
	 * released.
	 * @param request the lock and its options
	 * @return the handle
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Runs a body under the lock and always releases the lock. Blocks the calling thread
	 * for up to the request's wait time, while the body runs, and for the release as
	 * {@link LockHandle#close()} does.
	 * @param request the lock and its options
	 * @param body what to run; never runs without the lock
	 * @param <T> the result
	 * @param <E> what the body may throw
	 * @return the body's result
	 * @throws E what the body threw, with a loss of the lock as a suppressed exception
	 * @throws LockLostException if the body ended normally but the lock was lost
	 * meanwhile
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> body)
			throws E {
		return callUnder(body, acquire(request));
	}

	/**
	 * Runs a body without a result like {@link #execute(LockRequest, LockCallback)}.
	 * @param request the lock and its options
	 * @param body what to run; never runs without the lock
	 * @param <E> what the body may throw
	 * @throws E what the body threw, with a loss of the lock as a suppressed exception
	 */
	default <E extends Exception> void run(LockRequest request, LockAction<E> body) throws E {
		callUnder(whetherRun(body), acquire(request));
	}

	/**
	 * Runs a body under the lock like {@link #execute(LockRequest, LockCallback)}, but
	 * reports a busy lock as an empty result, after the request's wait time.
	 * @param request the lock and its options
	 * @param body what to run; never runs without the lock. It must not return
	 * {@code null}, because that would look like a busy lock. Use {@link #tryRun} for a
	 * body without a result
	 * @param <T> the result
	 * @param <E> what the body may throw
	 * @return the body's result, or empty if the lock stayed busy and the body did not
	 * run
	 * @throws E what the body threw, with a loss of the lock as a suppressed exception
	 * @throws IllegalStateException if the body returned {@code null}; the body has run,
	 * and the lock is released
	 */
	default <T, E extends Exception> Optional<T> tryExecute(LockRequest request, LockCallback<T, E> body) throws E {
		LockCallback<T, E> whole = withResult(body);
		Optional<LockHandle> lock = tryAcquire(request);
		return lock.isPresent() ? Optional.of(callUnder(whole, lock.get())) : Optional.empty();
	}

	/**
	 * Runs a body without a result like {@link #run(LockRequest, LockAction)}, but
	 * reports whether the lock was acquired within the request's wait time.
	 * @param request the lock and its options
	 * @param body what to run; never runs without the lock
	 * @param <E> what the body may throw
	 * @return {@code true} if the body ran, {@code false} if the lock stayed busy
	 * @throws E what the body threw, with a loss of the lock as a suppressed exception
	 */
	default <E extends Exception> boolean tryRun(LockRequest request, LockAction<E> body) throws E {
		LockCallback<Boolean, E> whole = whetherRun(body);
		Optional<LockHandle> lock = tryAcquire(request);
		return lock.isPresent() && callUnder(whole, lock.get());
	}

	/**
	 * Runs an asynchronous body under the lock and releases the lock when the body's
	 * stage has completed. Never blocks a thread. The lock is always released, even if
	 * the body throws, returns {@code null} or is cancelled. The lock is
	 * {@link LockContext#current()} while the body function runs, but not in the
	 * continuations of its stage. Pass the handle to those continuations.
	 * <p>
	 * The body function runs on a separate thread and may block. If the lock is available
	 * at once, the function runs on the calling thread. The caller may cancel the stage's
	 * future. This ends the wait for the lock, or cancels the body's stage; the lock is
	 * released when that stage completes. With {@link OnLost#INTERRUPT}, a loss of the
	 * lock cancels the body's stage too.
	 * @param request the lock and its options
	 * @param body starts the work and returns its stage; never runs without the lock
	 * @param <T> the result
	 * @return the result, completed after the release. It fails with the failure of the
	 * body, with a loss of the lock as a suppressed exception; with
	 * {@link LockLostException} if the body succeeded but the lock was lost meanwhile;
	 * with {@link IllegalStateException} if the body returned {@code null} instead of a
	 * stage; and as {@link #acquireAsync(LockRequest)} does if the lock is not acquired
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
	 * Tries exactly once to acquire a lock, with the template's defaults for all other
	 * options. Waits for the store's answer, but not for a busy lock. To wait for a busy
	 * lock, use {@link #tryAcquire(LockRequest)}.
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
	 * @throws E what the body threw, with a loss of the lock as a suppressed exception
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
	 * @throws E what the body threw, with a loss of the lock as a suppressed exception
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
	 * @throws E what the body threw, with a loss of the lock as a suppressed exception
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
	 * @throws E what the body threw, with a loss of the lock as a suppressed exception
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
	 * @return the result, as {@link #executeAsync(LockRequest, Function)} returns it
	 */
	default <T extends @Nullable Object> CompletionStage<T> executeAsync(String key,
			Function<? super LockHandle, ? extends @Nullable CompletionStage<T>> body) {
		return executeAsync(LockRequest.of(key), body);
	}

	/**
	 * Returns whether the lock is taken. A caller of any process holds it or a permit of
	 * it, or a minimum hold keeps it taken. Asks the store and blocks, at most for the
	 * command timeout. The answer may be outdated when it arrives. To act on a free lock,
	 * acquire it.
	 * @param key the lock's identity, not blank
	 * @return {@code true} if the lock is not free
	 * @throws IllegalArgumentException if the key is null or blank
	 * @throws LockStoreException if the store could not answer
	 * @throws LockInterruptedException if the thread was interrupted; the interrupt flag
	 * stays set
	 */
	default boolean isLocked(String key) {
		throw new UnsupportedOperationException(getClass().getName() + " cannot read locks");
	}

	/**
	 * Returns how often the calling thread holds the lock. Each acquisition that is not
	 * released yet counts, whatever its mode, and whether made by a handle or by
	 * {@link Lock}. Does not ask the store and does not block. Permits do not count.
	 * Asynchronous acquisitions do not count, because no thread owns them.
	 * @param key the lock's identity, not blank
	 * @return zero if the thread does not hold the lock or has lost it
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	default int holdCount(String key) {
		throw new UnsupportedOperationException(getClass().getName() + " knows no owners of locks");
	}

	/**
	 * Returns whether the calling thread holds the lock, as {@link #holdCount} counts.
	 * @param key the lock's identity, not blank
	 * @return {@code true} if the thread holds the lock at least once
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	default boolean isHeldByCurrentThread(String key) {
		return holdCount(key) > 0;
	}

	/**
	 * Returns the lock as {@link java.util.concurrent.locks.Lock}. Threads own this lock,
	 * and it is reentrant. {@code lock()} waits for ever and cannot be interrupted.
	 * {@code unlock()} throws {@link IllegalMonitorStateException} if the calling thread
	 * does not hold the lock, and {@link LockLostException} after a loss.
	 * {@code newCondition()} is not supported. Any method may throw
	 * {@link LockStoreException}. The methods that acquire the lock may throw
	 * {@link LockBusyException} if too many callers wait already, {@link LockException}
	 * if the template is shutting down, or {@link LockLostException} if this process was
	 * frozen for so long that the lease ended before they returned. This method is cheap
	 * and does not block. All views of one key are interchangeable.
	 * @param key the lock's identity, not blank
	 * @return a view of the lock
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	Lock getLock(String key);

	/**
	 * Returns the lock as {@link java.util.concurrent.locks.ReadWriteLock}. Any number of
	 * threads of any processes may hold {@code readLock()} at the same time, or one
	 * thread alone may hold {@code writeLock()}. The write lock is the same as
	 * {@link #getLock}. The description of {@link #getLock} holds for both locks. A
	 * waiting writer blocks readers that arrive later.
	 * <p>
	 * A thread that holds the write lock may acquire the read lock too. Other threads may
	 * read once this thread has released both locks. A thread that holds the read lock
	 * and asks for the write lock would wait for itself. Each such attempt throws a
	 * {@link LockException}. This method is cheap and does not block. All views of one
	 * key are interchangeable.
	 * @param key the lock's identity, not blank
	 * @return a view of the lock
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	ReadWriteLock getReadWriteLock(String key);

	/**
	 * Runs a body under a lock and releases the lock. The body comes first: it must exist
	 * before the lock is acquired, because an error between would leave the lock to
	 * nobody.
	 */
	private static <T extends @Nullable Object, E extends Exception> T callUnder(LockCallback<T, E> body,
			LockHandle acquired) throws E {
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

	/** Refuses a {@code null} result, which would look like a busy lock. */
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
