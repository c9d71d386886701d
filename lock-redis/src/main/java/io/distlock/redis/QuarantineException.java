package io.distlock.redis;

import java.time.Instant;

import io.distlock.LockStoreException;

/**
 * A server lost its data, or is new: it grants no locks until all leases from before are
 * over.
 */
public final class QuarantineException extends LockStoreException {

	private static final long serialVersionUID = 1L;

	private final Instant until;

	public QuarantineException(String message, Instant until) {
		super("", message, null);
		this.until = until;
	}

	/**
	 * When the quarantine ends.
	 * @return a moment of the server's clock
	 */
	public Instant until() {
		return this.until;
	}

}
