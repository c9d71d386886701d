package io.distlock.adapters;

/** Loses money where two threads use it at the same time. */
final class Account {

	private volatile int amount;

	void add() {
		int before = this.amount;
		Thread.yield();
		this.amount = before + 1;
	}

	int amount() {
		return this.amount;
	}

}
