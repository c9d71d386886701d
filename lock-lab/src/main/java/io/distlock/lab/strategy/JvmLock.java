package io.distlock.lab.strategy;

/** A lock of this JVM, which the other node does not see. */
class JvmLock implements Strategy {

	@Override
	public synchronized boolean sell(Customer customer) {
		return customer.buy();
	}

}
