package io.distlock.lab.strategy;

/** Nothing between the customers: two read the same number and sell the same item. */
class NoLock implements Strategy {

	@Override
	public boolean sell(Customer customer) {
		return customer.buy();
	}

}
