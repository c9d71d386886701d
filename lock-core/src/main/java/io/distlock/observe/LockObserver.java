package io.distlock.observe;

import java.util.List;

import io.distlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Observes all locks of a template: meters, traces, logs. It runs on the threads of
 * callers, so it should take less than a microsecond, or decline. What may block, or is
 * interested in few events, is a {@link LockActivityListener} or a
 * {@link io.distlock.LockListener}.
 * <p>
 * An observer changes nothing about a lock. It must be thread-safe. One that throws is
 * logged.
 */
@FunctionalInterface
public interface LockObserver {

	/** Observes nothing, and costs nothing. */
	LockObserver NONE = (request) -> null;

	/**
	 * Called for each acquisition of a key, on the thread of the caller; of several keys
	 * once for each.
	 * @param request what is requested, of one key
	 * @return is notified of this acquisition; {@code null} to decline
	 */
	@Nullable AcquisitionObserver acquiring(LockRequest request);

	/**
	 * Called when a call of an annotated method has no lock and does not fail: before the
	 * method runs without it, or the call is skipped. Unless the store was asked,
	 * {@link #acquiring} is not called for it.
	 * @param lock which lock and why
	 */
	default void notTaken(LockNotTaken lock) {
	}

	/**
	 * Returns whether {@link #commandEnded} is to be called. Asked for each command.
	 * @return {@code false} unless overridden
	 */
	default boolean observesCommands() {
		return false;
	}

	/**
	 * Called when a command to the store has ended. Must not block: it may run on a
	 * thread of the store's client. No monitor of a key is held meanwhile.
	 * @param command what was asked
	 * @param nanos how long it took
	 * @param failure why there was no answer, or {@code null}
	 */
	default void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
	}

	/**
	 * Returns one observer for several.
	 * @param observers called in this order
	 * @return the observer
	 */
	static LockObserver all(List<? extends LockObserver> observers) {
		List<LockObserver> several = observers.stream()
			.<LockObserver>map((observer) -> observer)
			.filter((observer) -> observer != NONE)
			.toList();
		return switch (several.size()) {
			case 0 -> NONE;
			case 1 -> several.get(0);
			default -> new SeveralObservers(several);
		};
	}

}
