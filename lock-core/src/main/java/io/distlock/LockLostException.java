package io.distlock;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The lock was ours and is not any more: its lease ended before it was renewed, or the
 * store no longer knew the hold. What ran under it may have run at the same time as
 * another holder; a transaction should be rolled back. The message carries the timeline.
 */
public class LockLostException extends LockException {

	private static final long serialVersionUID = 1L;

	/** Causes may form a circle. */
	private static final int MAX_DEPTH = 100;

	private final LockLoss hold;

	/**
	 * Creates an exception.
	 * @param hold what was lost
	 */
	public LockLostException(LockLoss hold) {
		this(hold, null);
	}

	private LockLostException(LockLoss hold, @Nullable Throwable cause) {
		super(hold.describe(), cause);
		this.hold = hold;
	}

	/**
	 * For those who run bodies under a lock: a body that ended with an exception because
	 * the loss of its lock interrupted it, by {@link OnLost#INTERRUPT}, reports the loss
	 * instead, with that exception as the cause. Does nothing if it ended so for another
	 * reason.
	 * @param lock the lock of the body
	 * @param thrown what the body threw
	 * @throws LockLostException in place of what was thrown
	 */
	public static void replaceInterrupt(LockHandle lock, Throwable thrown) {
		if (!lock.isInterruptedByLoss() || !isInterrupt(thrown)) {
			return;
		}
		try {
			lock.ensureHeld();
		}
		catch (LockLostException lost) {
			throw new LockLostException(lost.hold, thrown);
		}
		catch (IllegalStateException ex) {
			// Closed by the body itself; it has been told.
		}
	}

	private static boolean isInterrupt(@Nullable Throwable thrown) {
		int depth = 0;
		for (Throwable cause = thrown; cause != null && depth < MAX_DEPTH; cause = cause.getCause()) {
			if (cause instanceof InterruptedException || cause instanceof InterruptedIOException
					|| cause instanceof ClosedByInterruptException) {
				return true;
			}
			depth++;
		}
		return false;
	}

	/**
	 * All that is known of the hold.
	 * @return what was lost, when and why
	 */
	public LockLoss hold() {
		return this.hold;
	}

	/**
	 * Why the lock was lost.
	 * @return the reason
	 */
	public LossReason reason() {
		return this.hold.reason();
	}

	/**
	 * The lock that was lost.
	 * @return its key
	 */
	public String key() {
		return this.hold.key();
	}

	/**
	 * Token of the lost hold.
	 * @return the token that a fenced resource must refuse from now on
	 */
	public long fencingToken() {
		return this.hold.fencingToken();
	}

	/**
	 * When the lock was acquired, by this machine's clock.
	 * @return the instant
	 */
	public Instant acquiredAt() {
		return this.hold.acquiredAt();
	}

	/**
	 * When the store last confirmed the hold, by this machine's clock.
	 * @return the instant
	 */
	public Instant lastRenewedAt() {
		return this.hold.lastConfirmedAt();
	}

	/**
	 * When the hold ended without a release, by this machine's clock.
	 * @return the instant
	 */
	public Instant lostAt() {
		return this.hold.lostAt();
	}

}
