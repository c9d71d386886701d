package io.distlock.spi;

import java.util.OptionalLong;

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
	 * @param storeTime the store's clock when it answered, in milliseconds, if the store
	 * reports it
	 * @param forced whether the hold was released by force, as far as the store remembers
	 */
	record Gone(OptionalLong storeTime, boolean forced) implements RenewResult {

		/** Creates the answer of a store that does not report its time. */
		public Gone() {
			this(OptionalLong.empty(), false);
		}

		/**
		 * Creates the answer of a store that reports its time.
		 * @param storeTime the store's clock, in milliseconds
		 */
		public Gone(long storeTime) {
			this(storeTime, false);
		}

		/**
		 * Creates the answer of a store that reports its time.
		 * @param storeTime the store's clock, in milliseconds
		 * @param forced whether the hold was released by force
		 */
		public Gone(long storeTime, boolean forced) {
			this(OptionalLong.of(storeTime), forced);
		}

	}

}
