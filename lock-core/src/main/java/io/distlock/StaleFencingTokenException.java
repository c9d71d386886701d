package io.distlock;

import io.distlock.support.KeyText;

/**
 * A fenced resource has seen a higher fencing token: a later holder of the lock was here
 * already, and the write of this one was refused. The resource is unchanged.
 *
 * @serial exclude
 */
public class StaleFencingTokenException extends LockException {

	private static final long serialVersionUID = 1L;

	private final long token;

	private final long highest;

	/**
	 * Creates an exception.
	 * @param resource what was to be written
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
	 * @return that of an earlier holder
	 */
	public long token() {
		return this.token;
	}

	/**
	 * Returns the highest token that the resource has seen.
	 * @return that of a later holder
	 */
	public long highest() {
		return this.highest;
	}

}
