package io.distlock;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Reports a hold that was lost. All moments are those of this machine's wall clock.
 *
 * @param store the id of the store
 * @param name the request's name for its group of locks, may be empty
 * @param key the lock
 * @param fencingToken token of the hold, which a fenced resource must refuse from now on
 * @param acquiredAt when it was acquired
 * @param lastConfirmedAt when the store last confirmed the hold; equal to
 * {@code acquiredAt} if the hold was never renewed
 * @param lostAt when it was lost, or when the loss was found
 * @param lease the length of its lease without a renewal
 * @param thread name of the thread that acquired it, {@code async} if it was acquired
 * asynchronously
 * @param caller the method or place that asked for it, may be empty
 * @param reason why it was lost
 * @serial exclude
 */
public record LockLoss(String store, String name, String key, long fencingToken, Instant acquiredAt,
		Instant lastConfirmedAt, Instant lostAt, Duration lease, String thread, String caller,
		LossReason reason) implements Serializable {

	/**
	 * Creates a report with names that are fit for messages.
	 * @param store the id of the store
	 * @param name the request's name for its group of locks
	 * @param key the lock
	 * @param fencingToken token of the hold
	 * @param acquiredAt when it was acquired
	 * @param lastConfirmedAt when the store last confirmed it
	 * @param lostAt when it was lost, or when the loss was found
	 * @param lease the length of its lease without a renewal
	 * @param thread name of the thread that acquired it
	 * @param caller the method or place that asked for it, may be empty
	 * @param reason why it was lost
	 */
	public LockLoss {
		thread = ForeignText.of(thread);
		caller = ForeignText.of(caller);
	}

	/**
	 * Describes the loss in one sentence for a message.
	 * @return for instance
	 * {@code Lock 'a' was lost: its lease ended before a renewal was confirmed; acquired …, last confirmed …, lost …, lease 30s, fencing token 17, held by StockService.deduct, thread 'http-1'}
	 */
	public String describe() {
		return "Lock '" + KeyText.of(this.key) + "' was lost: " + this.reason.description() + "; acquired "
				+ this.acquiredAt + ", last confirmed " + this.lastConfirmedAt + ", lost " + this.lostAt + ", lease "
				+ DurationText.of(this.lease) + ", fencing token " + this.fencingToken + ", held by "
				+ (this.caller.isEmpty() ? "" : this.caller + ", ") + "thread '" + this.thread + "'";
	}

	@Override
	public String toString() {
		return "LockLoss[store=" + ForeignText.of(this.store) + ", name=" + ForeignText.of(this.name) + ", key="
				+ KeyText.of(this.key) + ", fencingToken=" + this.fencingToken + ", acquiredAt=" + this.acquiredAt
				+ ", lastConfirmedAt=" + this.lastConfirmedAt + ", lostAt=" + this.lostAt + ", lease=" + this.lease
				+ ", thread=" + this.thread + ", caller=" + this.caller + ", reason=" + this.reason + "]";
	}

}
