package io.distlock;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Runs bodies under locks that were acquired elsewhere: for interceptors and other
 * integrations. Applications have no need for it; they use {@link LockTemplate}.
 */
public final class LockScopes {

	/** Causes may form a circle. */
	private static final int MAX_DEPTH = 100;

	private LockScopes() {
	}

	/**
	 * Makes a lock the {@linkplain LockContext#current() current one} of the calling
	 * thread.
	 * @param lock the lock
	 * @return the scope; close it on the same thread, innermost first
	 */
	public static Scope enter(LockHandle lock) {
		return LockContext.enter(lock)::close;
	}

	/**
	 * Combines the handles of several locks: the result is held while all of them are,
	 * lost when one is, and closes them last first.
	 * @param parts the handles, at least one
	 * @return a handle of all; the part itself if there is only one
	 */
	public static LockHandle together(List<? extends LockHandle> parts) {
		return (parts.size() == 1) ? parts.get(0) : new SeveralHandles(parts);
	}

	/**
	 * Combines the handles of the same locks in two stores: the result has the keys and
	 * the fencing tokens of the first one, is held while both are, lost when one is, and
	 * closes the second one first.
	 * @param first the locks in one store
	 * @param second the locks with the same keys in the other store
	 * @return a handle of both
	 */
	public static LockHandle inBoth(LockHandle first, LockHandle second) {
		return new SeveralHandles.InTwoStores(first, second);
	}

	/**
	 * Returns whether a loss must interrupt or cancel the body, instead of being reported
	 * at its end: {@link OnLost#INTERRUPT} was requested or is the template's default. A
	 * body that runs on no thread has to be cancelled then, as there is no thread to
	 * interrupt.
	 * @param lock the lock
	 * @return {@code false} also for a handle that no engine has created
	 */
	public static boolean cancelsOnLoss(LockHandle lock) {
		return lock instanceof EngineHandle handle && handle.reactionToLoss() == OnLost.INTERRUPT;
	}

	/**
	 * Returns whether the loss of the lock interrupted the thread that acquired it.
	 * @param lock the lock
	 * @return {@code true} from the interrupt on, also once closed
	 */
	public static boolean isInterruptedByLoss(LockHandle lock) {
		return lock instanceof EngineHandle handle && handle.isInterruptedByLoss();
	}

	/**
	 * Returns whether a thread owns the lock.
	 * @param lock the lock
	 * @return {@code false} if an engine acquired it asynchronously
	 */
	public static boolean isOwnedByThread(LockHandle lock) {
		return !(lock instanceof EngineHandle handle) || handle.isOwnedByThread();
	}

	/**
	 * Creates a further handle on a hold that no thread owns, for a body that runs within
	 * the body of the given handle. The lock is released when the last handle is closed.
	 * @param lock the outer handle, of one lock
	 * @param request the nested request, for the same key
	 * @return a further handle; empty if the nested body has to acquire the lock itself:
	 * a thread owns it and may acquire it again, all handles were closed, or both are
	 * permits, of which each acquisition takes its own
	 * @throws LockLostException if the lock was lost, so that no body may run under it
	 * @throws IllegalStateException if it is held in a mode that does not cover that of
	 * the request, so that the request would wait for itself
	 */
	public static Optional<LockHandle> fork(LockHandle lock, LockRequest request) {
		return (lock instanceof EngineHandle handle) ? handle.fork(request) : Optional.empty();
	}

	/**
	 * Throws the loss in place of an exception with which a body ended because the loss
	 * interrupted it. That exception becomes the cause. Does nothing if the body ended
	 * for another reason.
	 * @param lock the lock of the body
	 * @param thrown what the body threw
	 * @throws LockLostException in place of what was thrown
	 */
	public static void replaceInterrupt(LockHandle lock, Throwable thrown) {
		if (!isInterruptedByLoss(lock) || !isInterrupt(thrown)) {
			return;
		}
		try {
			lock.ensureHeld();
		}
		catch (LockLostException lost) {
			throw new LockLostException(lost.loss(), thrown);
		}
		catch (IllegalStateException ex) {
			// Closed by the body itself, which got the loss then.
		}
	}

	private static boolean isInterrupt(@Nullable Throwable thrown) {
		int depth = 0;
		for (Throwable cause = thrown; cause != null && depth < MAX_DEPTH; cause = cause.getCause()) {
			if (cause instanceof InterruptedException || cause instanceof InterruptedIOException
					|| cause instanceof ClosedByInterruptException) {
				return true;
			}
			depth++;
		}
		return false;
	}

	/**
	 * Runs an asynchronous body under a lock and releases the lock when the body's stage
	 * has completed, as {@link LockTemplate#executeAsync(LockRequest, Function)} does.
	 * Never blocks.
	 * @param lock the lock, acquired asynchronously; belongs to the body from now on
	 * @param body starts the work and returns its stage
	 * @param <T> the result
	 * @return the result, completed after the release
	 */
	public static <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockHandle lock,
			Function<? super LockHandle, ? extends @Nullable CompletionStage<T>> body) {
		return new LockedStage<T>(body).under(lock);
	}

	/** The time during which a lock is the current one of a thread. */
	public interface Scope extends AutoCloseable {

		/** Makes the outer lock, if any, the current one again. */
		@Override
		void close();

	}

}
