package io.distlock.internal.observe;

import io.distlock.Holder;
import io.distlock.LockLoss;
import io.distlock.observe.GrantKind;
import io.distlock.observe.RefusalReason;
import org.jspecify.annotations.Nullable;

/** One acquisition as the engine reports it to observers. */
public interface ObservedAcquisition {

	/** An acquisition that nothing observes. */
	ObservedAcquisition NONE = new ObservedAcquisition() {
	};

	/**
	 * Returns what the metadata of the holder shows.
	 * @return trace id and span id, or an empty text
	 */
	default String trace() {
		return "";
	}

	/**
	 * Notes that others hold the lock. Called under the monitor of the key.
	 * @param holder who holds it, or {@code null} if that is not known
	 * @return the report, which the caller's thread runs after its commands or passes to
	 * {@link #reportLater}; {@code null} if there is nothing to report now
	 */
	default @Nullable Runnable waitsFor(@Nullable Holder holder) {
		return null;
	}

	/**
	 * Notifies the observer on a thread where it delays no command. Drops the report if
	 * observers cannot keep up. Called outside the monitor.
	 * @param report what {@link #waitsFor} returned
	 */
	default void reportLater(Runnable report) {
	}

	/**
	 * Notes that a thread of this process held the lock until now, and that the store is
	 * asked again. Called under the monitor of the key.
	 */
	default void waitedHere() {
	}

	/**
	 * Notes that the lock is about to be granted. Called under the monitor of the key.
	 * @param how how it came here
	 */
	default void grantedBy(GrantKind how) {
	}

	/**
	 * Reports that the lock was acquired. Called outside the monitor, by the thread that
	 * acquired it.
	 * @param fencingToken token of the hold
	 * @param nested whether its owner had it already
	 * @param waitedNanos from the request to the grant
	 */
	default void acquired(long fencingToken, boolean nested, long waitedNanos) {
	}

	/**
	 * Reports that the acquisition ended without the lock. Called outside the monitor.
	 * @param reason why
	 * @param holder who holds it, or {@code null} if that is not known
	 * @param failure what the caller gets, if that is known
	 * @param waitedNanos from the request to its end
	 */
	default void refused(RefusalReason reason, @Nullable Holder holder, @Nullable RuntimeException failure,
			long waitedNanos) {
	}

	/**
	 * Reports that the hold was released. Called outside the monitor.
	 * @param fencingToken token of the hold
	 * @param heldNanos from the grant to the release
	 */
	default void released(long fencingToken, long heldNanos) {
	}

	/**
	 * Reports that the hold was lost before its release, perhaps even before its thread
	 * woke. Called outside the monitor.
	 * @param loss what was lost
	 */
	default void lost(LockLoss loss) {
	}

	/**
	 * Reports that the hold had been lost before its release, as the answer to the
	 * release shows. This call may come before the releasing thread has reported the
	 * release. Called outside the monitor.
	 * @param loss what was lost
	 */
	default void lostBeforeRelease(LockLoss loss) {
	}

}
