package io.distlock.internal.key;

import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/** The news of a slot for the waiters of its semaphore. */
public sealed interface SlotNews {

	/** The store has said whether the permit is free. */
	SlotNews KNOWN = new Answered(null);

	/** The permit has neither waiters nor an owner in this process. */
	SlotNews VACANT = new Vacant();

	/** The permit has neither waiters nor an owner in this process any more. */
	record Vacant() implements SlotNews {
	}

	/**
	 * The store has said whether the permit is free, or the request ended without an
	 * answer.
	 *
	 * @param failure the failure for waiters whose time is over, or {@code null} if the
	 * store has said whether the permit is free
	 */
	record Answered(@Nullable LockStoreException failure) implements SlotNews {
	}

	/**
	 * The store gave no answer in time, or a failure that a repetition would not change.
	 *
	 * @param cause for all waiters
	 */
	record StoreFailed(LockStoreException cause) implements SlotNews {
	}

}
