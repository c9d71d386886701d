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
	 * The request no longer holds the lock.
	 *
	 * @param forced whether the hold was released by force, as far as the store remembers
	 */
	record Gone(boolean forced) implements RenewResult {
	}

}
