package io.distlock;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when this process has lost a lock that it held. The lease ended before it was
 * renewed, or the store no longer knew the hold. The body may have run at the same time
 * as the body of another holder, so a transaction should be rolled back. The message
 * tells when the lock was acquired, last confirmed and lost.
 *
 * @serial exclude
 */
public class LockLostException extends LockException {

	private static final long serialVersionUID = 1L;

	private final LockLoss loss;

	/**
	 * Creates an exception.
	 * @param loss what was lost
	 * @param cause the exception of a body that the loss interrupted, or {@code null}
	 */
	public LockLostException(LockLoss loss, @Nullable Throwable cause) {
		super(loss.key(), loss.describe(), cause);
		this.loss = loss;
	}

	/**
	 * Returns all that is known of the loss.
	 * @return what was lost, when and why
	 */
	public LockLoss loss() {
		return this.loss;
	}

	/**
	 * Returns why the lock was lost.
	 * @return the reason
	 */
	public LossReason reason() {
		return this.loss.reason();
	}

	/**
	 * Returns the token of the lost hold.
	 * @return the token that a fenced resource must refuse from now on
	 */
	public long fencingToken() {
		return this.loss.fencingToken();
	}

	/**
	 * Returns when the lock was acquired, by this machine's clock.
	 * @return the instant
	 */
	public Instant acquiredAt() {
		return this.loss.acquiredAt();
	}

	/**
	 * Returns when the store last confirmed the hold, by this machine's clock.
	 * @return the instant
	 */
	public Instant lastRenewedAt() {
		return this.loss.lastConfirmedAt();
	}

	/**
	 * Returns when the hold ended without a release, by this machine's clock.
	 * @return the instant
	 */
	public Instant lostAt() {
		return this.loss.lostAt();
	}

}
