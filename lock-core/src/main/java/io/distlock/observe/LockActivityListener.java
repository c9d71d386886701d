package io.distlock.observe;

import io.distlock.LockListener;

/**
 * Is notified of what happens to healthy locks too: of each lock that was acquired, of
 * each caller that did not get one, and of each release. These are many. Like all methods
 * of {@link LockListener} they are called on one thread, one call after the other, and
 * may block; if more than 10,000 calls are due, further ones are dropped and a warning
 * says how many.
 */
public interface LockActivityListener extends LockListener {

	/**
	 * Returns whether it is interested. Asked for each acquisition.
	 * @return {@code true} unless overridden
	 */
	default boolean isActive() {
		return true;
	}

	/**
	 * Called when a lock was acquired, except by its owner.
	 * @param acquired what was acquired
	 */
	default void acquired(LockAcquired acquired) {
	}

	/**
	 * Called when a caller did not get a lock, for whatever reason.
	 * @param refused why
	 */
	default void busy(LockRefused refused) {
	}

	/**
	 * Called when a lock was released.
	 * @param released what was released
	 */
	default void released(LockReleased released) {
	}

}
