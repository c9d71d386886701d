package io.distlock;

import io.distlock.support.KeyText;

/**
 * Thrown when a fenced resource has already seen a higher fencing token. A later holder
 * of the lock has been there before, so the write of this holder was refused. The
 * resource is unchanged.
 *
 * @serial exclude
 */
public class StaleFencingTokenException extends LockException {

	private static final long serialVersionUID = 1L;

	private final long token;

	private final long highest;

	/**
	 * Creates an exception.
	 * @param resource the resource that was to be written
	 * @param token the token that was refused
	 * @param highest the highest token that the resource has seen
	 */
	public StaleFencingTokenException(String resource, long token, long highest) {
		super(resource, "Fencing token " + token + " is too old for '" + KeyText.of(resource) + "', which has seen "
				+ highest + ": the lock was lost and a later holder has written meanwhile", null);
		this.token = token;
		this.highest = highest;
	}

	/**
	 * Returns the resource whose write was refused, the same as {@link #key()}.
	 * @return the name of the resource
	 */
	public String resource() {
		return key();
	}

	/**
	 * Returns the token that was refused.
	 * @return the token of an earlier holder
	 */
	public long token() {
		return this.token;
	}

	/**
	 * Returns the highest token that the resource has seen.
	 * @return the token of a later holder
	 */
	public long highest() {
		return this.highest;
	}

}
