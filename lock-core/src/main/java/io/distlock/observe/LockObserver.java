package io.distlock.observe;

import java.util.List;
import java.util.stream.Stream;

import io.distlock.ClockJump;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Observes all locks of a template, for meters, traces, events and alerts. An observer
 * overrides the methods that it needs.
 * <p>
 * An observer changes nothing about a lock. It must be thread-safe. If it throws an
 * exception, the exception and the class of the observer are logged.
 */
public interface LockObserver {

	/** Observes nothing, and costs nothing. */
	LockObserver NONE = new LockObserver() {
	};

	/**
	 * Called for each acquisition of a key, on the thread of the caller. A request for
	 * several keys causes one call for each key. The call should take less than a
	 * microsecond, or decline.
	 * @param store the id of the store
	 * @param request the request, for one key
	 * @return the observer of this acquisition; {@code null} to decline
	 */
	default @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
		return null;
	}

	/**
	 * Called when this process lost a lock, even if {@link #acquiring} declined the
	 * acquisition. Runs on a thread that makes such calls in order, for all locks and
	 * observers. The call may block, and delays only later calls.
	 * @param loss what was lost, when and why
	 */
	default void lost(LockLoss loss) {
	}

	/**
	 * Called once for each hold that exceeds {@link io.distlock.LockOptions#maxHold()},
	 * on the same thread as {@link #lost}.
	 * @param overrun the hold, which goes on
	 */
	default void heldTooLong(LockOverrun overrun) {
	}

	/**
	 * Called when the clock of this machine jumped, on the same thread as {@link #lost}.
	 * Locks that were lost because of it are reported one by one to {@link #lost}.
	 * @param jump how far
	 */
	default void clockJumped(ClockJump jump) {
	}

	/**
	 * Called when a call of an annotated method has no lock and does not fail. It is
	 * called before the method runs without the lock, or before the call is skipped.
	 * {@link #acquiring} is called for such a method call only if the engine asked the
	 * store.
	 * @param lock which lock and why
	 */
	default void notTaken(LockNotTaken lock) {
	}

	/**
	 * Returns whether {@link #commandEnded} is to be called. The engine asks for each
	 * command.
	 * @return {@code false} unless overridden
	 */
	default boolean observesCommands() {
		return false;
	}

	/**
	 * Called when a command to the store has ended. Must not block: it may run on a
	 * thread of the store's client. The engine does not hold the monitor of a key
	 * meanwhile.
	 * @param store the id of the store
	 * @param command what was asked
	 * @param nanos how long it took
	 * @param failure why there was no answer, or {@code null}
	 */
	default void commandEnded(String store, StoreCommand command, long nanos, @Nullable Throwable failure) {
	}

	/**
	 * Returns one observer for several.
	 * @param observers called in this order
	 * @return the observer
	 */
	static LockObserver all(List<? extends LockObserver> observers) {
		List<LockObserver> several = observers.stream()
			.flatMap((observer) -> (observer instanceof SeveralObservers parts) ? parts.stream() : Stream.of(observer))
			.filter((observer) -> observer != NONE)
			.toList();
		return several.isEmpty() ? NONE : new SeveralObservers(several);
	}

}
