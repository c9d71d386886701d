package io.distlock.observe;

import io.distlock.Holder;
import io.distlock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * Is notified of the steps of one acquisition, and of the hold that it leads to. The
 * engine calls {@link #refused}, or it calls {@link #acquired} and then, once,
 * {@link #released} or {@link #lost}. Only a lock that the store turns out to have lost
 * before the release is reported to both {@link #released} and
 * {@link #lostBeforeRelease}, in this order. A minimum hold that is lost after the
 * release is not reported, because it protects nothing. A nested acquisition has no
 * separate hold and ends with {@link #acquired}.
 * <p>
 * The engine holds none of its monitors during a call. An exception that a method throws
 * is logged and has no other effect.
 */
public interface AcquisitionObserver {

	/**
	 * Returns the trace that other processes see as {@link Holder#trace()} of the holder.
	 * Called once, on the thread of the caller, before the engine asks the store.
	 * @return a trace id, a hyphen and a span id, or an empty text
	 */
	default String trace() {
		return "";
	}

	/**
	 * Called at most once, when it is known that other owners hold the lock. The call
	 * comes on the thread of the caller after its commands, or on the thread that makes
	 * such calls in order, for all locks. A slow call delays no command, but it delays
	 * later calls. The call may come late, while the acquisition ends or afterwards.
	 * @param holder the holder of the lock, or {@code null} if not known
	 */
	default void waits(@Nullable Holder holder) {
	}

	/**
	 * Called when the lock was acquired, on the thread that acquired it. After an
	 * asynchronous acquisition it is called on the thread that completes the future.
	 * @param acquired what was acquired
	 */
	default void acquired(LockAcquired acquired) {
	}

	/**
	 * Called when the acquisition ended without the lock, on the same thread as
	 * {@link #acquired}.
	 * @param refused why
	 */
	default void refused(LockRefused refused) {
	}

	/**
	 * Called when the last handle of the hold was closed, on the thread that closed it.
	 * If this thread executes the command for the release, the command has ended before
	 * the call.
	 * @param released what was released
	 */
	default void released(LockReleased released) {
	}

	/**
	 * Called when the hold was lost, on the thread of the caller or on the thread that
	 * makes such calls in order, for all locks. A slow call delays no command, but it
	 * delays later calls.
	 * @param loss what was lost and why
	 */
	default void lost(LockLoss loss) {
	}

	/**
	 * Called after {@link #released}, when the store's answer shows that the store had
	 * ended the hold before the release. The call comes on the same threads as that of
	 * {@link #lost}. By default it calls {@link #lost}.
	 * @param loss what was lost and why
	 */
	default void lostBeforeRelease(LockLoss loss) {
		lost(loss);
	}

}
