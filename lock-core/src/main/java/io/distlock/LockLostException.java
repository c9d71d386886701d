package io.distlock;

import java.time.Instant;

/**
 * The lock was ours and is not any more: its lease ended before it was renewed, or the
 * store no longer knew the hold. What ran under it may have run at the same time as
 * another holder; a transaction should be rolled back. The message carries the timeline.
 */
public class LockLostException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String key;

	private final long fencingToken;

	private final Instant acquiredAt;

	private final Instant lastRenewedAt;

	private final Instant lostAt;

	/**
	 * Creates an exception.
	 * @param key the lock
	 * @param fencingToken token of the lost hold
	 * @param acquiredAt when it was acquired, by this machine's clock
	 * @param lastRenewedAt when the store last confirmed it; equal to {@code acquiredAt}
	 * if never renewed
	 * @param lostAt when it was lost
	 * @param reason why, as a clause:
	 * {@code its lease ended before a renewal was confirmed}
	 */
	public LockLostException(String key, long fencingToken, Instant acquiredAt, Instant lastRenewedAt, Instant lostAt,
			String reason) {
		super("Lock '" + key + "' was lost: " + reason + "; acquired " + acquiredAt + ", last confirmed "
				+ lastRenewedAt + ", lost " + lostAt + ", fencing token " + fencingToken, null);
		this.key = key;
		this.fencingToken = fencingToken;
		this.acquiredAt = acquiredAt;
		this.lastRenewedAt = lastRenewedAt;
		this.lostAt = lostAt;
	}

	/**
	 * The lock that was lost.
	 * @return its key
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Token of the lost hold.
	 * @return the token that a fenced resource must refuse from now on
	 */
	public long fencingToken() {
		return this.fencingToken;
	}

	/**
	 * When the lock was acquired, by this machine's clock.
	 * @return the instant
	 */
	public Instant acquiredAt() {
		return this.acquiredAt;
	}

	/**
	 * When the store last confirmed the hold, by this machine's clock.
	 * @return the instant
	 */
	public Instant lastRenewedAt() {
		return this.lastRenewedAt;
	}

	/**
	 * When the hold ended without a release, by this machine's clock.
	 * @return the instant
	 */
	public Instant lostAt() {
		return this.lostAt;
	}

}
