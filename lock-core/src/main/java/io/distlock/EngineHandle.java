package io.distlock;

import java.util.Optional;

/**
 * A handle that an engine creates. It also tells what {@link LockScopes} needs to know.
 * Applications do not need this type.
 */
public interface EngineHandle extends LockHandle {

	/**
	 * Returns what happens to the body when the lock is lost.
	 * @return the choice of the request or of the template, not {@link OnLost#DEFAULT}
	 */
	OnLost reactionToLoss();

	/**
	 * Returns whether the loss of the lock interrupted the thread that acquired it.
	 * @return {@code true} from the interrupt on, also after the handle was closed
	 */
	boolean isInterruptedByLoss();

	/**
	 * Returns whether this handle was closed.
	 * @return {@code true} also if the lock had been lost before
	 */
	boolean isClosed();

	/**
	 * Returns whether a thread owns the lock. Such a thread may acquire the lock again,
	 * and asynchronous code cannot share the lock.
	 * @return {@code false} if the lock was acquired asynchronously
	 */
	boolean isOwnedByThread();

	/**
	 * Creates a further handle on the hold of this one, as a nested acquisition by a
	 * thread does. The lock is released when the last handle is closed. Sends no command
	 * and never blocks.
	 * @param request the nested request, for the same key
	 * @return a further handle; empty if a thread owns the lock, if all handles were
	 * closed, or if both are permits, because each acquisition takes a further permit
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalStateException if the lock is held in a mode that does not cover the
	 * mode of the request, so that the request would wait for itself
	 */
	Optional<LockHandle> fork(LockRequest request);

	/**
	 * Notes that no body ran under this handle and none will. When the handle is closed,
	 * a minimum hold does not keep the lock taken. Code that acquires several locks calls
	 * this method if one of them is busy, before it gives back the others.
	 */
	void markUnused();

	/**
	 * Begins to close this handle as {@link #close()} does, without waiting for the
	 * store. A caller that first begins to close several handles, and then waits for
	 * each, needs no more time than for one.
	 * @return the rest of {@link #close()}, for the calling thread
	 */
	Closing beginClose();

	/** A handle that is being closed. */
	interface Closing {

		/**
		 * Waits until the store has confirmed the release, at most until one command
		 * timeout after the close began.
		 * @throws LockLostException if the lock was lost before it was closed
		 */
		void await();

	}

}
