package io.distlock.observe;

import io.distlock.Holder;
import io.distlock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * Is notified of the steps of one acquisition, and of the hold that it leads to: either
 * {@link #refused}, or {@link #acquired} and then, once, {@link #released} or
 * {@link #lost}. Only a lock that the store turns out to have lost before the release is
 * reported to both {@link #released} and {@link #lostBeforeRelease}, in this order. A
 * minimum hold that is lost after the release is not reported, because it protects
 * nothing. A nested acquisition has no hold of its own and ends with {@link #acquired}.
 * <p>
 * No method is called under a monitor of the engine. One that throws is logged and
 * changes nothing else.
 */
public interface AcquisitionObserver {

	/**
	 * Returns what the holder of the lock shows to others as {@link Holder#trace()}.
	 * Called once, on the thread of the caller, before the store is asked.
	 * @return a trace id, a hyphen and a span id, or an empty text
	 */
	default String trace() {
		return "";
	}

	/**
	 * Called at most once, when it is known that others hold the lock: on the thread of
	 * the caller after its commands, or on one that makes such calls in order, for all
	 * locks. A slow call delays no command, but it delays later calls. It may come late,
	 * while or after the acquisition ends.
	 * @param holder the holder of the lock, or {@code null} if not known
	 */
	default void waits(@Nullable Holder holder) {
	}

	/**
	 * Called when the lock was acquired, on the thread that acquired it, or, without one,
	 * on the thread that completes the future.
	 * @param acquired what was acquired
	 */
	default void acquired(LockAcquired acquired) {
	}

	/**
	 * Called when the acquisition ended without the lock, on the same thread.
	 * @param refused why
	 */
	default void refused(LockRefused refused) {
	}

	/**
	 * Called when the last handle of the hold was closed, on the thread that closed it. A
	 * command that this thread executes for the release has ended before.
	 * @param released what was released
	 */
	default void released(LockReleased released) {
	}

	/**
	 * Called when the hold was lost: on the thread of the caller, or on one that makes
	 * such calls in order, for all locks. A slow call delays no command, but it delays
	 * later calls.
	 * @param loss what was lost and why
	 */
	default void lost(LockLoss loss) {
	}

	/**
	 * Called after {@link #released}, when the answer of the store shows that it had
	 * ended the hold before: on the same threads as {@link #lost}. Calls {@link #lost}
	 * unless overridden.
	 * @param loss what was lost and why
	 */
	default void lostBeforeRelease(LockLoss loss) {
		lost(loss);
	}

}
