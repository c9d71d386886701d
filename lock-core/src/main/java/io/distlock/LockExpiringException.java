package io.distlock;

import java.time.Duration;

import io.distlock.support.KeyText;

/**
 * Thrown when the lock is held, but for less time than
 * {@link LockHandle#ensureHeld(Duration)} demanded. The store has not confirmed a renewal
 * for some time, or the lease is a fixed one. The lock is not lost yet. A step that takes
 * longer than the remaining time should not begin.
 *
 * @serial exclude
 */
public class LockExpiringException extends LockException {

	private static final long serialVersionUID = 1L;

	private final Duration remaining;

	/**
	 * Creates an exception.
	 * @param key the lock
	 * @param remaining what is left of the hold
	 * @param demanded what should have been left
	 */
	public LockExpiringException(String key, Duration remaining, Duration demanded) {
		super(key, "Lock '" + KeyText.of(key) + "' is held for " + remaining.toMillis()
				+ " ms more only, unless it is renewed; " + demanded.toMillis() + " ms were asked for", null);
		this.remaining = remaining;
	}

	/**
	 * Returns what was left of the hold.
	 * @return more than zero
	 */
	public Duration remaining() {
		return this.remaining;
	}

}
