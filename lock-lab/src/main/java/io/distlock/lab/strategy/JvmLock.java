package io.distlock.lab.strategy;

/** A lock of this JVM: the other node has one of its own. */
class JvmLock implements Strategy {

	@Override
	public synchronized boolean sell(Customer customer) {
		return customer.buy();
	}

}
