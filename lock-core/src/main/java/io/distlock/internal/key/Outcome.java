package io.distlock.internal.key;

import io.distlock.Holder;
import org.jspecify.annotations.Nullable;

/** How the waiting ended: with a {@link Hold}, or without one. */
public sealed interface Outcome permits Hold, Outcome.Refused, Outcome.Failed, Outcome.Cancelled {

	/** The waiter did not get the lock because of others. */
	sealed interface Refused extends Outcome {

		/**
		 * Returns the holder of the lock.
		 * @return the holder, if known
		 */
		@Nullable Holder holder();

	}

	/**
	 * The lock was held elsewhere all the time.
	 *
	 * @param holder the holder, if known
	 */
	record Busy(@Nullable Holder holder) implements Refused {
	}

	/**
	 * Too many wait in this process already.
	 *
	 * @param holder the holder of the lock, if known
	 */
	record TooManyWaiters(@Nullable Holder holder) implements Refused {
	}

	/**
	 * Whether the lock is free is not known.
	 *
	 * @param failure why
	 */
	record Failed(RuntimeException failure) implements Outcome {
	}

	/** The waiter does not want the lock any more. */
	record Cancelled() implements Outcome {
	}

}
