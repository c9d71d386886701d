package io.distlock.internal.ownership;

import java.util.List;

import io.distlock.internal.hold.Hold;
import org.jspecify.annotations.Nullable;

/**
 * The owners of the lock in this process, or nobody. Confined to the monitor of the key.
 */
sealed interface Owners permits Owners.Nobody, OneOwner, Readers {

	/** Nobody holds the lock. */
	Owners NOBODY = new Nobody();

	/** Returns the holds, in a list that stays as it is while owners leave. */
	List<Hold> holds();

	/**
	 * Returns the hold of the owner that came first, or {@code null} if there is none.
	 */
	@Nullable Hold first();

	/** Returns the hold of a thread, or {@code null} if it has none. */
	@Nullable Hold of(@Nullable Thread thread);

	/** Returns whether no owner can release its hold any more. */
	boolean areOrphaned();

	/**
	 * Removes a hold. The last hold stays until the lease ends. So after an error there
	 * is still an owner, whose release is repeated.
	 * @param hold the hold
	 * @return whether it is the last hold
	 */
	boolean leave(Hold hold);

	/** Returns the holds whose deadline has passed. */
	List<Hold> expired(long now);

	/** Returns the holds that exceed their maximum hold time, each of them once. */
	List<Hold> overrun(long now);

	/** Returns when a hold is over or exceeds its maximum hold time. */
	long dueBy(long latest);

	/** Nobody holds the lock. */
	record Nobody() implements Owners {

		@Override
		public List<Hold> holds() {
			return List.of();
		}

		@Override
		public @Nullable Hold first() {
			return null;
		}

		@Override
		public @Nullable Hold of(@Nullable Thread thread) {
			return null;
		}

		@Override
		public boolean areOrphaned() {
			return false;
		}

		@Override
		public boolean leave(Hold hold) {
			return true;
		}

		@Override
		public List<Hold> expired(long now) {
			return List.of();
		}

		@Override
		public List<Hold> overrun(long now) {
			return List.of();
		}

		@Override
		public long dueBy(long latest) {
			return latest;
		}

	}

}
