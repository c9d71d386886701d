package io.distlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * One acquisition of a lock. A nested acquisition by the same thread gets a further
 * handle on the same hold; the lock is released when the last of them is closed.
 * <p>
 * A handle is valid at most until its local deadline, measured on this machine's
 * monotonic clock from before the request, or the last confirmed renewal, was sent. It is
 * lost earlier if the store answers a renewal with no, or if this machine was suspended
 * until after the end of the lease. Once lost it stays lost. Thread-safe; any thread may
 * close a handle, but the lock is renewed only while the thread that acquired it is
 * alive. A lock that was acquired asynchronously is renewed until it is closed.
 * <p>
 * Implemented by the engine. Tests may implement it too: new methods will be default
 * methods.
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * Returns the lock's identity.
	 * @return the key; of several locks all keys, joined for messages
	 */
	String key();

	/**
	 * Returns the locks that this handle stands for: one handle for each key of the
	 * request, in the order of their acquisition. Closing this handle closes all of them.
	 * It is held as long as all of them are, and lost with the first.
	 * @return this handle itself, if there is only one lock
	 */
	default List<LockHandle> parts() {
		return List.of(this);
	}

	/**
	 * Returns the fencing token: strictly increasing in grant order for one key. Pass it
	 * to a resource that remembers the highest token seen and refuses lower ones.
	 * @return a positive number below 2<sup>53</sup>
	 * @throws IllegalStateException if there are several locks: each of {@link #parts()}
	 * has its own token
	 */
	long fencingToken();

	/**
	 * Returns whether the lock is held right now, by the local deadline. Does not ask the
	 * store and does not block. The lock may be lost the moment after: use the fencing
	 * token where that matters.
	 * @return {@code false} once lost or closed, and then for ever
	 */
	boolean isHeld();

	/**
	 * Returns the time left until the local deadline if no further renewal succeeds.
	 * @return zero once lost or closed
	 */
	Duration remaining();

	/**
	 * Throws unless {@link #isHeld()}. Call it before a step that must not happen without
	 * the lock.
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalStateException if this handle was closed
	 */
	void ensureHeld();

	/**
	 * Throws unless the lock is held, and for some time more even if no further renewal
	 * succeeds. Does not ask the store and does not block. Call it before a step that
	 * takes its time and must not outlive the lock.
	 * @param atLeast the time that must be left until the local deadline
	 * @throws LockLostException if the lock was lost
	 * @throws LockExpiringException if it is held, but less than that is left
	 * @throws IllegalStateException if this handle was closed
	 */
	default void ensureHeld(Duration atLeast) {
		Duration remaining = remaining();
		ensureHeld();
		if (remaining.compareTo(atLeast) < 0) {
			throw new LockExpiringException(key(), remaining, atLeast);
		}
	}

	/**
	 * Makes the lock last for some time from now, whatever happens to later renewals:
	 * before a step of known length under a fixed lease, or a long one without a
	 * connection. Asks the store if less than that is left, and blocks until it has
	 * confirmed, at most for the command timeout; not interruptible, the interrupt flag
	 * is kept. The lock is never shortened. A lock that is renewed goes on being renewed,
	 * from now on with the longer lease; a fixed lease stays a fixed one. All handles on
	 * the same hold are extended, of several locks each. A minimum hold and a maximum
	 * hold stay as they are.
	 * @param atLeast from {@link LockRequest#MIN_LEASE} to {@link LockRequest#MAX_LEASE};
	 * {@link #remaining()} is less by a round trip, 0.1 % and 2 ms
	 * @throws LockLostException if the lock was lost
	 * @throws LockStoreException if the store refused: the lock is held as before; or if
	 * it did not answer in time: it is held as before, and may still be extended later
	 * @throws LockException if the template has been shut down
	 * @throws IllegalArgumentException if the time is out of range
	 * @throws IllegalStateException if this handle was closed, or all handles were before
	 * the answer
	 */
	default void extend(Duration atLeast) {
		throw new UnsupportedOperationException(getClass().getName() + " cannot extend a lock");
	}

	/**
	 * Extends the lock like {@link #extend}, but never blocks the calling thread.
	 * @param atLeast how long the lock must last from now
	 * @return completed when the store has confirmed; fails as {@link #extend} does, at
	 * the latest about a command timeout from now
	 * @throws IllegalArgumentException if the time is out of range
	 */
	default CompletionStage<@Nullable Void> extendAsync(Duration atLeast) {
		throw new UnsupportedOperationException(getClass().getName() + " cannot extend a lock");
	}

	/**
	 * Registers a callback for the loss of the lock. It runs once, on a thread of the
	 * engine's callbacks, at the latest shortly after the local deadline; at once if the
	 * lock is already lost; never after this handle was closed. An exception that it
	 * throws is logged.
	 * @param callback receives this handle
	 * @return the registration, which ends with this handle; close it earlier if the
	 * callback is no longer needed
	 */
	Registration onLost(Consumer<LockHandle> callback);

	/**
	 * Ends this acquisition. The last one of a hold releases the lock, which the store
	 * keeps taken for the rest of its minimum hold. Blocks until the store has confirmed
	 * the release, at most for the command timeout; if no confirmation comes, a warning
	 * is logged and the release goes on in the background until confirmed or the lease is
	 * over. With {@link ReleaseMode#SENT} it does not wait. Closing twice does nothing.
	 * Not interruptible; the interrupt flag is kept.
	 * @throws LockLostException if the lock was lost before this call
	 */
	@Override
	void close();

	/**
	 * Ends this acquisition like {@link #close()}, but never blocks the calling thread.
	 * @return completed when the store has confirmed the release, with
	 * {@link ReleaseMode#SENT} at once. Without a confirmation it is completed after the
	 * command timeout, with a warning in the log, or when the template is shut down; the
	 * release goes on in the background. Fails with {@link LockLostException} if the lock
	 * was lost before this call
	 */
	CompletionStage<@Nullable Void> closeAsync();

	/** A registered callback. */
	interface Registration extends AutoCloseable {

		/**
		 * Ends the registration: the callback is not called any more, unless it is
		 * running already. Closing twice does nothing.
		 */
		@Override
		void close();

	}

}
