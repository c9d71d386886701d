package io.distlock;

import io.distlock.support.KeyText;

/**
 * Thrown when the calling thread was interrupted while it waited for the lock. The lock
 * is not held. The thread's interrupt flag is set again.
 */
public class LockInterruptedException extends LockException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param key the lock that was waited for
	 * @param cause the interrupt
	 */
	public LockInterruptedException(String key, InterruptedException cause) {
		super(key, "Interrupted while waiting for lock '" + KeyText.of(key) + "'", cause);
	}

}
