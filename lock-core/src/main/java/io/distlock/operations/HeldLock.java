package io.distlock.operations;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * A lock that this process holds.
 *
 * @param key the lock
 * @param kind how the lock is held
 * @param fencingToken its token
 * @param thread name of the owner's thread, {@code async} if the handle is the owner
 * @param caller the method or place that asked for it, may be empty
 * @param since when it was acquired, by this machine's clock
 * @param age how long ago that was
 * @param remaining how long the lock stays held without a further renewal, by this
 * machine's clock
 */
public record HeldLock(String key, LockKind kind, long fencingToken, String thread, String caller, Instant since,
		Duration age, Duration remaining) {

	/**
	 * Describes the lock in a part of a sentence for a message.
	 * @return for instance
	 * {@code 'stock:42' by StockService.sell, thread 'http-1', for 12s, fencing token 17}
	 */
	public String describe() {
		return "'" + KeyText.of(this.key) + "'" + (this.caller.isEmpty() ? "" : " by " + ForeignText.of(this.caller))
				+ ", thread '" + ForeignText.of(this.thread) + "', for "
				+ DurationText.of(this.age.truncatedTo(ChronoUnit.MILLIS)) + ", fencing token " + this.fencingToken;
	}

	@Override
	public String toString() {
		return "HeldLock[key=" + KeyText.of(this.key) + ", kind=" + this.kind + ", fencingToken=" + this.fencingToken
				+ ", thread=" + this.thread + ", caller=" + this.caller + ", since=" + this.since + ", age=" + this.age
				+ ", remaining=" + this.remaining + "]";
	}

}
