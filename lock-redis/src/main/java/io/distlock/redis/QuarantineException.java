package io.distlock.redis;

import java.time.Instant;

import io.distlock.LockStoreException;

/**
 * Thrown when a server is new or lost its data. The server grants no locks until all
 * earlier leases have expired.
 *
 * @serial exclude
 */
public final class QuarantineException extends LockStoreException {

	private static final long serialVersionUID = 1L;

	private final Instant until;

	/**
	 * Creates an exception.
	 * @param key the lock
	 * @param message what happened, and what the user can do
	 * @param until when the quarantine ends, by the server's clock
	 */
	public QuarantineException(String key, String message, Instant until) {
		super(key, message, null);
		this.until = until;
	}

	/**
	 * Returns when the quarantine ends.
	 * @return a moment of the server's clock
	 */
	public Instant until() {
		return this.until;
	}

}
