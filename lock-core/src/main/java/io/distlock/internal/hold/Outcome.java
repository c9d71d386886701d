package io.distlock.internal.hold;

import io.distlock.Holder;
import org.jspecify.annotations.Nullable;

/** The end of a wait: a {@link Hold}, or the reason why there is none. */
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
	 * The lock was held by others during the whole wait.
	 *
	 * @param holder the holder, if known
	 */
	record Busy(@Nullable Holder holder) implements Refused {
	}

	/**
	 * Too many waiters of this process already waited for the lock.
	 *
	 * @param holder the holder of the lock, if known
	 */
	record TooManyWaiters(@Nullable Holder holder) implements Refused {
	}

	/**
	 * The acquisition failed, and it is not known whether the lock is free.
	 *
	 * @param failure why
	 */
	record Failed(RuntimeException failure) implements Outcome {
	}

	/** The waiter does not want the lock any more. */
	record Cancelled() implements Outcome {
	}

}
