package io.distlock.spi;

import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

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
	 * @param order the author of a release by force, or {@code null} if not known
	 */
	record Gone(OptionalLong storeTime, @Nullable ReleaseOrder order) implements RenewResult {

		/** Creates the answer of a store that does not report its time. */
		public Gone() {
			this(OptionalLong.empty(), null);
		}

		/**
		 * Creates the answer of a store that reports its time.
		 * @param storeTime the store's clock, in milliseconds
		 */
		public Gone(long storeTime) {
			this(OptionalLong.of(storeTime), null);
		}

		/**
		 * Creates the answer of a store that reports its time.
		 * @param storeTime the store's clock, in milliseconds
		 * @param order the author of a release by force, or {@code null}
		 */
		public Gone(long storeTime, @Nullable ReleaseOrder order) {
			this(OptionalLong.of(storeTime), order);
		}

	}

}
