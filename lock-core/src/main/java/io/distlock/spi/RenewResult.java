package io.distlock.spi;

/** The store's answer to a {@link RenewCommand}. */
public sealed interface RenewResult {

	/**
	 * The hold was extended.
	 *
	 * @param grant the hold as it is now
	 * @param waiters how many instances wait in the store's queue
	 */
	record Renewed(Grant grant, int waiters) implements RenewResult {
	}

	/**
	 * The request does not hold the lock any more.
	 *
	 * @param storeTime the store's clock when it answered, in milliseconds, or 0 if it
	 * does not tell
	 */
	record Gone(long storeTime) implements RenewResult {

		/** The answer of a store that does not tell its time. */
		public Gone() {
			this(0);
		}

	}

}
