package io.distlock.spi;

import java.time.Duration;
import java.util.List;

import io.distlock.Holder;
import org.jspecify.annotations.Nullable;

/**
 * A lock at one moment, for operators and tests.
 *
 * @param key the lock
 * @param owner the request that holds it alone, or {@code null} when the lock is free or
 * held by several together
 * @param holder metadata of the owner, or of one of those who hold it together;
 * {@code null} when free or not known
 * @param fencingToken highest token ever granted or reserved, 0 if none is remembered
 * @param remaining what is left of that holder's lease, zero when free
 * @param waiters instances in the queue, next one first
 * @param holds all valid holds, lowest token first: one when there is an owner, empty
 * when free
 */
public record LockSnapshot(String key, @Nullable RequestId owner, @Nullable Holder holder, long fencingToken,
		Duration remaining, List<String> waiters, List<Hold> holds) {

	/**
	 * Copies the lists.
	 */
	public LockSnapshot {
		waiters = List.copyOf(waiters);
		holds = List.copyOf(holds);
	}

	/**
	 * A snapshot of a lock with these holds. The one that ends first is the one of whom
	 * {@code holder} and {@code remaining} tell.
	 * @param key the lock
	 * @param alone whether the only hold is one that nobody may share
	 * @param holds all valid holds, lowest token first
	 * @param fencingToken highest token ever granted or reserved
	 * @param waiters instances in the queue, next one first
	 * @return the snapshot
	 */
	public static LockSnapshot of(String key, boolean alone, List<Hold> holds, long fencingToken,
			List<String> waiters) {
		Hold told = null;
		for (Hold hold : holds) {
			told = (told == null || hold.remaining().compareTo(told.remaining()) < 0) ? hold : told;
		}
		return new LockSnapshot(key, (told != null && alone) ? told.request() : null,
				(told != null) ? told.holder() : null, fencingToken, (told != null) ? told.remaining() : Duration.ZERO,
				waiters, holds);
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
