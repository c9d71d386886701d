package io.distlock;

import java.util.Optional;

/**
 * A handle as an engine creates it, with what {@link LockScopes} needs to know besides.
 * Applications have no need for it.
 */
public interface EngineHandle extends LockHandle {

	/**
	 * Returns what happens to the body when the lock is lost.
	 * @return the choice of the request or of the template, not {@link OnLost#DEFAULT}
	 */
	OnLost reactionToLoss();

	/**
	 * Returns whether the loss of the lock interrupted the thread that acquired it.
	 * @return {@code true} from the interrupt on, also once closed
	 */
	boolean isInterruptedByLoss();

	/**
	 * Returns whether this handle was closed.
	 * @return {@code true} also if the lock had been lost before
	 */
	boolean isClosed();

	/**
	 * Returns whether a thread owns the lock: it may acquire it again, and code without a
	 * thread cannot share it.
	 * @return {@code false} if the lock was acquired asynchronously
	 */
	boolean isOwnedByThread();

	/**
	 * Creates a further handle on the hold of this one, as a nested acquisition by a
	 * thread does. The lock is released when the last handle is closed. Sends no command
	 * and never blocks.
	 * @param request the nested request, for the same key
	 * @return a further handle; empty if a thread owns the lock, if all handles were
	 * closed, or if both are permits, of which each acquisition takes its own
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalStateException if it is held in a mode that does not cover that of
	 * the request, so that the request would wait for itself
	 */
	Optional<LockHandle> fork(LockRequest request);

	/**
	 * Notes that no body ran under this handle and none will: when it is closed, a
	 * minimum hold does not keep the lock taken. For code that acquires several locks and
	 * gives back those that it has when another one is busy.
	 */
	void markUnused();

	/**
	 * Begins to close this handle as {@link #close()} does, and does not wait for the
	 * store. Several handles are closed in the time of one: begin with all, then wait for
	 * each.
	 * @return the rest of {@link #close()}, for the calling thread
	 */
	Closing beginClose();

	/** A handle that is being closed. */
	interface Closing {

		/**
		 * Waits until the store has confirmed the release, at most until one command
		 * timeout after the beginning.
		 * @throws LockLostException if the lock was lost before it was closed
		 */
		void await();

	}

}
