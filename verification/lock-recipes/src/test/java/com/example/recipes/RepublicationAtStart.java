package com.example.recipes;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

// tag::start[]
@Component
class RepublicationAtStart {

	private final IncompleteEventPublications publications;

	private final LockRegistry<?> registry;

	RepublicationAtStart(IncompleteEventPublications publications, LockRegistry<?> registry) {
		this.publications = publications;
		this.registry = registry;
	}

	@EventListener(ApplicationReadyEvent.class)
	public void resubmit() {
		Lock lock = this.registry.obtain("republication");
		if (lock.tryLock()) {
			try {
				this.publications.resubmitIncompletePublications((publication) -> true);
			}
			finally {
				lock.unlock();
			}
		}
	}

}
// end::start[]

/** Fails at first, so that its event stays incomplete. */
@Component
class RefundListener {

	private final AtomicInteger calls = new AtomicInteger();

	@TransactionalEventListener
	void on(Refund event) {
		if (this.calls.incrementAndGet() == 1) {
			throw new IllegalStateException("The bank is away for refund " + event.id());
		}
	}

	/** A method, since the bean has a proxy. */
	int calls() {
		return this.calls.get();
	}

	record Refund(String id) {
	}

}
