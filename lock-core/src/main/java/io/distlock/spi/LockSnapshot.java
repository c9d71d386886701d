package io.distlock.spi;

import java.time.Duration;
import java.util.List;

import io.distlock.Holder;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Describes a lock at one moment, for operators and tests.
 *
 * @param key the lock
 * @param owner the request that holds it exclusively, or {@code null} when the lock is
 * free or held by several requests
 * @param holder metadata of the owner, or of one of several holders; {@code null} when
 * the lock is free or the holder is not known
 * @param fencingToken highest token ever granted or reserved, 0 if none is remembered
 * @param remaining what is left of that holder's lease, zero when the lock is free
 * @param waiters instances in the queue, next one first
 * @param holds all valid holds, lowest token first; one hold when there is an owner, none
 * when the lock is free
 */
public record LockSnapshot(String key, @Nullable RequestId owner, @Nullable Holder holder, long fencingToken,
		Duration remaining, List<String> waiters, List<Hold> holds) {

	/**
	 * Creates a snapshot with copies of the lists.
	 * @param key the lock
	 * @param owner the request that holds it exclusively, or {@code null}
	 * @param holder metadata of a holder, or {@code null}
	 * @param fencingToken highest token ever granted or reserved
	 * @param remaining what is left of that holder's lease
	 * @param waiters instances in the queue, next one first
	 * @param holds all valid holds, lowest token first
	 */
	public LockSnapshot {
		waiters = List.copyOf(waiters);
		holds = List.copyOf(holds);
	}

	/**
	 * Creates a snapshot of a lock with these holds. {@code holder} and {@code remaining}
	 * are those of the hold that ends first.
	 * @param key the lock
	 * @param alone whether the only hold is exclusive
	 * @param holds all valid holds, lowest token first
	 * @param fencingToken highest token ever granted or reserved
	 * @param waiters instances in the queue, next one first
	 * @return the snapshot
	 */
	public static LockSnapshot of(String key, boolean alone, List<Hold> holds, long fencingToken,
			List<String> waiters) {
		Hold first = null;
		for (Hold hold : holds) {
			first = (first == null || hold.remaining().compareTo(first.remaining()) < 0) ? hold : first;
		}
		return new LockSnapshot(key, (first != null && alone) ? first.request() : null,
				(first != null) ? first.holder() : null, fencingToken,
				(first != null) ? first.remaining() : Duration.ZERO, waiters, holds);
	}

	/**
	 * Returns whether the lock is held or waited for.
	 * @return {@code false} if the lock is free and has no waiters
	 */
	public boolean isUsed() {
		return !this.holds.isEmpty() || !this.waiters.isEmpty();
	}

	@Override
	public String toString() {
		return "LockSnapshot[key=" + KeyText.of(this.key) + ", owner=" + this.owner + ", holder=" + this.holder
				+ ", fencingToken=" + this.fencingToken + ", remaining=" + this.remaining + ", waiters="
				+ ForeignText.content(this.waiters.toString()) + ", holds=" + this.holds + "]";
	}

	/**
	 * One valid hold.
	 *
	 * @param request the request that holds the lock
	 * @param holder metadata, or {@code null} when not known
	 * @param fencingToken first token of the hold
	 * @param remaining what is left of its lease
	 */
	public record Hold(RequestId request, @Nullable Holder holder, long fencingToken, Duration remaining) {
	}

}
