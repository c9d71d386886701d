package io.distlock;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;

/**
 * Acquires locks that hold across all processes sharing one store. Reentrant per thread:
 * a nested acquisition of a key by the thread that holds it succeeds at once and sends no
 * command, unless it wants a lease that outlasts what is left of the hold: then it waits
 * for the store to lengthen it. It never shortens the lease. Thread-safe.
 */
public interface LockTemplate {

	/**
	 * Acquires a lock, waiting up to the request's wait time. Blocks the calling thread.
	 * @param request what to acquire
	 * @return the hold; close it when done, best with try-with-resources
	 * @throws LockBusyException if somebody else held it all the time, or more callers
	 * wait than may
	 * @throws LockStoreException if the store could not answer
	 * @throws LockInterruptedException if interrupted; the flag stays set
	 */
	LockHandle acquire(LockRequest request);

	/**
	 * Like {@link #acquire(LockRequest)}, but busy is a value. It waits up to the
	 * request's wait time too: ask for zero to try once.
	 * @param request what to acquire
	 * @return the hold, or empty if somebody else held it all the time, or more callers
	 * wait than may
	 * @throws LockStoreException if the store could not answer
	 * @throws LockInterruptedException if interrupted; the flag stays set
	 */
	Optional<LockHandle> tryAcquire(LockRequest request);

	/**
	 * Acquires a lock without ever blocking a thread, waiting up to the request's wait
	 * time. The owner is the handle, not a thread: any thread may close it, best with
	 * {@link LockHandle#closeAsync()}, and until then it is renewed. It is not reentrant;
	 * a thread that holds the key waits for itself here.
	 * <p>
	 * Continuations run on a thread of their own and may block; one that is attached when
	 * the lock is there already runs on the thread that attaches it, unless it is one of
	 * the {@code …Async} kind. Cancelling the stage's future, or completing it otherwise,
	 * ends the waiting; a lock granted meanwhile is released.
	 * @param request what to acquire
	 * @return the hold; fails with {@link LockBusyException} if somebody else held it all
	 * the time or more callers wait than may, with {@link LockStoreException} if the
	 * store could not answer
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Runs a body under the lock and releases it, whatever happens. The lock is also
	 * {@link LockContext#current()} while the body runs.
	 * @param request what to acquire
	 * @param body what to run; never runs without the lock
	 * @param <T> the result
	 * @param <E> what the body may throw
	 * @return what the body returned
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 * @throws LockLostException if the body ended normally but the lock was lost
	 * meanwhile
	 * @throws LockBusyException if somebody else held it all the time, or more callers
	 * wait than may
	 * @throws LockStoreException if the store could not answer
	 * @throws LockInterruptedException if interrupted while waiting; the flag stays set
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> body)
			throws E {
		try (LockHandle lock = acquire(request); LockContext.Scope scope = LockContext.enter(lock)) {
			try {
				return body.call(lock);
			}
			catch (Exception ex) {
				LockLostException.replaceInterrupt(lock, ex);
				throw ex;
			}
		}
	}

	/**
	 * Like {@link #execute(LockRequest, LockCallback)}, without a result.
	 * @param request what to acquire
	 * @param body what to run; never runs without the lock
	 * @param <E> what the body may throw
	 * @throws E what the body threw; a loss of the lock is suppressed onto it
	 */
	default <E extends Exception> void run(LockRequest request, LockAction<E> body) throws E {
		try (LockHandle lock = acquire(request); LockContext.Scope scope = LockContext.enter(lock)) {
			try {
				body.run(lock);
			}
			catch (Exception ex) {
				LockLostException.replaceInterrupt(lock, ex);
				throw ex;
			}
		}
	}

	/**
	 * {@link #acquire(LockRequest)} with the defaults.
	 * @param key the lock's identity, not blank
	 * @return the hold
	 */
	default LockHandle acquire(String key) {
		return acquire(LockRequest.of(key));
	}

	/**
	 * {@link #tryAcquire(LockRequest)} with the defaults.
	 * @param key the lock's identity, not blank
	 * @return the hold, or empty if busy
	 */
	default Optional<LockHandle> tryAcquire(String key) {
		return tryAcquire(LockRequest.of(key));
	}

	/**
	 * {@link #acquireAsync(LockRequest)} with the defaults.
	 * @param key the lock's identity, not blank
	 * @return the hold
	 */
	default CompletionStage<LockHandle> acquireAsync(String key) {
		return acquireAsync(LockRequest.of(key));
	}

	/**
	 * {@link #execute(LockRequest, LockCallback)} with the defaults.
	 * @param key the lock's identity, not blank
	 * @param body what to run
	 * @param <T> the result
	 * @param <E> what the body may throw
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(String key, LockCallback<T, E> body) throws E {
		return execute(LockRequest.of(key), body);
	}

	/**
	 * {@link #run(LockRequest, LockAction)} with the defaults.
	 * @param key the lock's identity, not blank
	 * @param body what to run
	 * @param <E> what the body may throw
	 * @throws E what the body threw
	 */
	default <E extends Exception> void run(String key, LockAction<E> body) throws E {
		run(LockRequest.of(key), body);
	}

	/**
	 * The lock as {@link java.util.concurrent.locks.Lock}, owned by threads and
	 * reentrant. {@code lock()} waits for ever and cannot be interrupted;
	 * {@code unlock()} by a thread that does not hold it throws
	 * {@link IllegalMonitorStateException}, after a loss {@link LockLostException};
	 * {@code newCondition()} is not supported. Any method may throw
	 * {@link LockStoreException}, and those that acquire {@link LockBusyException} if
	 * more callers wait than may, or {@link LockLostException} if this process was frozen
	 * so long that the lock was over before they returned. Cheap; views of one key are
	 * interchangeable.
	 * @param key the lock's identity, not blank
	 * @return a view of the lock
	 */
	Lock getLock(String key);

	/**
	 * The lock as {@link java.util.concurrent.locks.ReadWriteLock}: any number of threads
	 * of any processes may hold {@code readLock()} together, or one alone
	 * {@code writeLock()}, which is the same as {@link #getLock}. What is said there
	 * holds for both. Who waits to write lets no later reader in before.
	 * <p>
	 * A thread that writes may read too; the lock stays its own until it gave back both.
	 * A thread that reads and wants to write would wait for itself: any attempt to throws
	 * a {@link LockException}. Cheap; views of one key are interchangeable.
	 * @param key the lock's identity, not blank
	 * @return a view of the lock
	 */
	ReadWriteLock getReadWriteLock(String key);

}
