package com.example.recipes;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.transaction.event.TransactionalEventListener;

/** Fails at first, so that its event stays incomplete. */
class OrderListener {

	private final AtomicInteger calls = new AtomicInteger();

	@TransactionalEventListener
	void on(OrderPlaced event) {
		if (this.calls.incrementAndGet() == 1) {
			throw new IllegalStateException("The mail server is away for order " + event.id());
		}
	}

	/** A method, since the bean has a proxy. */
	int calls() {
		return this.calls.get();
	}

	record OrderPlaced(String id) {
	}

}
