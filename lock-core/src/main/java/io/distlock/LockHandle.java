package io.distlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * One acquisition of a lock. A nested acquisition by the same thread gets a further
 * handle on the same hold. The lock is released when the last of these handles is closed.
 * <p>
 * A handle is valid at most until its local deadline. The deadline is measured on this
 * machine's monotonic clock. It counts from the moment before the request, or the last
 * confirmed renewal, was sent. The lock is lost earlier if the store answers a renewal
 * with no, or if this machine was suspended until after the end of the lease. A lost lock
 * stays lost. Handles are thread-safe. Any thread may close a handle, but the lock is
 * renewed only while the thread that acquired it is alive. A lock that was acquired
 * asynchronously is renewed until it is closed.
 * <p>
 * The engine implements this interface. Tests may implement it too, because new methods
 * will be default methods.
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * Returns the lock's identity.
	 * @return the key, or all keys of several locks, joined for messages
	 */
	String key();

	/**
	 * Returns the locks that this handle stands for: one handle for each key of the
	 * request, in the order of their acquisition. Closing this handle closes all of them.
	 * It is held as long as all of them are held, and lost when the first of them is
	 * lost.
	 * @return this handle itself, if there is only one lock
	 */
	default List<LockHandle> parts() {
		return List.of(this);
	}

	/**
	 * Returns the fencing token. For one key, the tokens strictly increase in the order
	 * of the grants. Pass the token to a resource that remembers the highest token seen
	 * and refuses lower ones.
	 * @return a positive number below 2<sup>53</sup>
	 * @throws IllegalStateException if there are several locks, because each of
	 * {@link #parts()} has a separate token
	 */
	long fencingToken();

	/**
	 * Returns whether the lock is held right now, according to the local deadline. Does
	 * not ask the store and does not block. The lock may be lost a moment later. Use the
	 * fencing token where that matters.
	 * @return {@code false} from the moment when the lock is lost or the handle is closed
	 */
	boolean isHeld();

	/**
	 * Returns the time left until the local deadline if no further renewal succeeds.
	 * @return zero after the lock was lost or the handle was closed
	 */
	Duration remaining();

	/**
	 * Throws an exception unless the lock {@linkplain #isHeld() is held}. Call it before
	 * a step that must not happen without the lock.
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalStateException if this handle was closed
	 */
	void ensureHeld();

	/**
	 * Throws an exception unless the lock is held for some more time, even if no further
	 * renewal succeeds. Does not ask the store and does not block. Call it before a long
	 * step that must not outlive the lock.
	 * @param atLeast the time that must be left until the local deadline
	 * @throws LockLostException if the lock was lost
	 * @throws LockExpiringException if the lock is held, but less time is left
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
	 * Makes the lock last for some time from now, whatever happens to later renewals.
	 * Call it before a step of known length under a fixed lease, or before a long step
	 * without a connection. If less time is left, this method asks the store and blocks
	 * until the store has confirmed, at most for the command timeout. The wait is not
	 * interruptible; the interrupt flag is kept. The lock is never shortened. A lock that
	 * is renewed is still renewed, with the longer lease from now on. A fixed lease stays
	 * a fixed one. All handles on the same hold are extended. If this handle stands for
	 * several locks, each of them is extended. A minimum hold and a maximum hold stay as
	 * they are; see {@link #holdAtLeast}.
	 * @param atLeast from {@link LockRequest#MIN_LEASE} to {@link LockRequest#MAX_LEASE};
	 * {@link #remaining()} is shorter by a round trip, 0.1 % and 2 ms
	 * @throws LockLostException if the lock was lost
	 * @throws LockStoreException if the store refused or did not answer in time; the lock
	 * is held as before, and without an answer it may still be extended later
	 * @throws LockException if the template has been shut down
	 * @throws IllegalArgumentException if the time is out of range
	 * @throws IllegalStateException if this handle was closed, or all handles were closed
	 * before the answer
	 */
	default void extend(Duration atLeast) {
		throw new UnsupportedOperationException(getClass().getName() + " cannot extend a lock");
	}

	/**
	 * Extends the lock like {@link #extend}, but never blocks the calling thread.
	 * @param atLeast how long the lock must last from now
	 * @return a stage that completes when the store has confirmed; it fails as
	 * {@link #extend} does, at the latest about a command timeout from now
	 * @throws IllegalArgumentException if the time is out of range
	 */
	default CompletionStage<@Nullable Void> extendAsync(Duration atLeast) {
		throw new UnsupportedOperationException(getClass().getName() + " cannot extend a lock");
	}

	/**
	 * Keeps the lock taken for some time from now, even if it is released earlier. It has
	 * the effect of {@link LockRequest#holdAtLeast}, but counts from now. A minimum hold
	 * is never shortened. All handles on the same hold have the same minimum. If this
	 * handle stands for several locks, each of them has it. This method does not ask the
	 * store and does not block, because the release tells the store. So it does not
	 * extend the lease: use {@link #extend} if this process must hold the lock for that
	 * long.
	 * @param atLeast at most {@link LockRequest#MAX_LEASE}
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalArgumentException if the time is out of range
	 * @throws IllegalStateException if the lock is shared or a permit, or if this handle
	 * was closed
	 */
	default void holdAtLeast(Duration atLeast) {
		throw new UnsupportedOperationException(getClass().getName() + " cannot have a minimum hold");
	}

	/**
	 * Registers a callback for the loss of the lock. The callback runs once, on a
	 * callback thread of the engine, at the latest shortly after the local deadline. It
	 * runs at once if the lock is already lost, and never after this handle was closed.
	 * An exception that the callback throws is logged.
	 * @param callback receives this handle
	 * @return the registration, which ends with this handle; close it earlier if the
	 * callback is no longer needed
	 */
	Registration onLost(Consumer<LockHandle> callback);

	/**
	 * Ends this acquisition. Closing the last handle of a hold releases the lock. If the
	 * hold has a minimum, the store keeps the lock taken for the rest of it. This method
	 * blocks until the store has confirmed the release, at most for the command timeout.
	 * If no confirmation comes, a warning is logged, and the release goes on in the
	 * background until it is confirmed or the lease is over. With
	 * {@link ReleaseMode#SENT} this method does not wait. A second call does nothing. The
	 * wait is not interruptible; the interrupt flag is kept.
	 * @throws LockLostException if the lock was lost before this call
	 */
	@Override
	void close();

	/**
	 * Ends this acquisition like {@link #close()}, but never blocks the calling thread.
	 * @return a stage that completes when the store has confirmed the release, with
	 * {@link ReleaseMode#SENT} at once. Without a confirmation it completes after the
	 * command timeout, with a warning in the log, or when the template is shut down; the
	 * release goes on in the background. The stage fails with {@link LockLostException}
	 * if the lock was lost before this call
	 */
	CompletionStage<@Nullable Void> closeAsync();

	/** A registered callback. */
	interface Registration extends AutoCloseable {

		/**
		 * Ends the registration. The callback is not called any more; a call that already
		 * runs goes on. A second call of this method does nothing.
		 */
		@Override
		void close();

	}

}
