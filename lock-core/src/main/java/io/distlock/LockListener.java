package io.distlock;

/**
 * Told what goes wrong with the locks of a template. Called on a thread of its own, one
 * call after the other and off the engine's threads; what it throws is logged.
 */
public interface LockListener {

	/** Interested in nothing. */
	LockListener NONE = new LockListener() {
	};

	/**
	 * A lock that was held here was lost.
	 * @param hold what was lost
	 */
	default void lost(LockLoss hold) {
	}

	/**
	 * A lock is held for longer than {@link LockOptions#maxHold()}; told once for each
	 * hold.
	 * @param hold the hold, which goes on
	 */
	default void heldTooLong(LockOverrun hold) {
	}

	/**
	 * A clock jumped. Locks that were lost thereby are told of one by one.
	 * @param jump which clock, and how far
	 */
	default void clockJumped(ClockJump jump) {
	}

}
