package io.distlock.lab.strategy;

/** A way to sell one item to one customer while others do the same. */
@FunctionalInterface
public interface Strategy {

	/**
	 * Sells one item. Whatever it throws is an attempt that failed, and the customer
	 * comes again.
	 * @param customer the one who buys
	 * @return {@code false} if nothing is left
	 */
	boolean sell(Customer customer);

}
