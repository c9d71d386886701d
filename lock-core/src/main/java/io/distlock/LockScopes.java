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
 * Runs bodies under locks that other code has acquired. Interceptors and other
 * integrations use it. Applications do not need it; they use {@link LockTemplate}.
 */
public final class LockScopes {

	/** Limits the search for a cause, because causes may form a circle. */
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
		LockContext.Scope scope = LockContext.scope(lock);
		// Created before it is entered: an error between the two would leave it open.
		Scope entered = scope::close;
		scope.enter();
		return entered;
	}

	/**
	 * Combines the handles of several locks. The result is held while all of them are
	 * held, and lost when one of them is lost. Closing the result closes the last handle
	 * first.
	 * @param parts the handles, at least one
	 * @return a handle of all; the part itself if there is only one
	 */
	public static LockHandle together(List<? extends LockHandle> parts) {
		return (parts.size() == 1) ? parts.get(0) : new SeveralHandles(parts);
	}

	/**
	 * Combines the handles of the same locks in two stores. The result has the keys and
	 * the fencing tokens of the first handle. It is held while both are held, and lost
	 * when one of them is lost. Closing the result closes the second handle first.
	 * @param first the locks in one store
	 * @param second the locks with the same keys in the other store
	 * @return a handle of both
	 */
	public static LockHandle inBoth(LockHandle first, LockHandle second) {
		return new SeveralHandles.InTwoStores(first, second);
	}

	/**
	 * Gives up an acquisition without a thread, whose lock no code will release. The wait
	 * ends, or the acquired lock is released. Does not block.
	 * @param acquisition the acquisition
	 */
	public static void giveUp(CompletableFuture<LockHandle> acquisition) {
		LockedStage.giveUp(acquisition);
	}

	/**
	 * Returns whether a loss must interrupt or cancel the body, instead of being reported
	 * at the end of the body. This is so if {@link OnLost#INTERRUPT} was requested or is
	 * the template's default. An asynchronous body has to be cancelled, because there is
	 * no thread to interrupt.
	 * @param lock the lock
	 * @return {@code false} also for a handle that no engine has created
	 */
	public static boolean cancelsOnLoss(LockHandle lock) {
		return lock instanceof EngineHandle handle && handle.reactionToLoss() == OnLost.INTERRUPT;
	}

	/**
	 * Returns whether the loss of the lock interrupted the thread that acquired it.
	 * @param lock the lock
	 * @return {@code true} from the interrupt on, also after the handle was closed
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
	 * @return a further handle; empty if the nested body has to acquire the lock itself,
	 * because a thread owns the lock and may acquire it again, because all handles were
	 * closed, or because both are permits and each acquisition takes a further permit
	 * @throws LockLostException if the lock was lost, so that no body may run under it
	 * @throws IllegalStateException if the lock is held in a mode that does not cover the
	 * mode of the request, so that the request would wait for itself
	 */
	public static Optional<LockHandle> fork(LockHandle lock, LockRequest request) {
		return (lock instanceof EngineHandle handle) ? handle.fork(request) : Optional.empty();
	}

	/**
	 * Throws the loss if a body ended with an exception because the loss interrupted it.
	 * The exception of the body becomes the cause. Does nothing if the body ended for
	 * another reason.
	 * @param lock the lock of the body
	 * @param thrown what the body threw
	 * @throws LockLostException if the loss interrupted the body
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
			// The body closed the handle itself and got the loss from that call.
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
