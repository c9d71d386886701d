package io.distlock.internal.key;

import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/** News of a slot, for the waiters of its semaphore. */
public sealed interface SlotNews {

	/** The store has said whether the permit is free. */
	SlotNews KNOWN = new Answered(null);

	/** Nothing of the permit is left here. */
	SlotNews VACANT = new Vacant();

	/** The permit has neither waiters nor an owner here any more. */
	record Vacant() implements SlotNews {
	}

	/**
	 * The store has said whether the permit is free, or that it ended the request.
	 *
	 * @param failure for waiters whose time is over if the request ended, or {@code null}
	 */
	record Answered(@Nullable LockStoreException failure) implements SlotNews {
	}

	/**
	 * The store gave no answer in time, or one that repeating does not change.
	 *
	 * @param cause for all waiters
	 */
	record Failed(LockStoreException cause) implements SlotNews {
	}

}
