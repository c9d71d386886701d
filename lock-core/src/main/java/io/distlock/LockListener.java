package io.distlock;

/**
 * Is notified of what goes wrong with the locks of a template. Called on one thread of
 * its own, one call after the other; it may block without delaying the engine. An
 * exception that it throws is logged.
 */
public interface LockListener {

	/** Ignores all notifications. */
	LockListener NONE = new LockListener() {
	};

	/**
	 * Called when a lock that was held here was lost.
	 * @param loss what was lost, when and why
	 */
	default void lost(LockLoss loss) {
	}

	/**
	 * Called once for each hold that exceeds {@link LockOptions#maxHold()}.
	 * @param overrun the hold, which goes on
	 */
	default void heldTooLong(LockOverrun overrun) {
	}

	/**
	 * Called when a clock jumped. Locks that were lost because of it are reported one by
	 * one to {@link #lost}.
	 * @param jump which clock, and how far
	 */
	default void clockJumped(ClockJump jump) {
	}

}
