package io.distlock.lab.node;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.distlock.lab.event.LabEvent.Kind;

/** Holds one caller where the fault shall hit it, until the director lets it go on. */
final class Trap {

	private final AtomicBoolean armed = new AtomicBoolean();

	private final CountDownLatch released = new CountDownLatch(1);

	void arm() {
		this.armed.set(true);
	}

	void release() {
		this.armed.set(false);
		this.released.countDown();
	}

	/** Returns whether this caller was held. */
	boolean pass(int caller, EventLog log) {
		if (!this.armed.get() || !this.armed.compareAndSet(true, false)) {
			return false;
		}
		log.add(Kind.TRAPPED, caller, 0, 0);
		try {
			this.released.await();
		}
		catch (InterruptedException ex) {
			// The work ends early: its lock is lost.
			Thread.currentThread().interrupt();
		}
		return true;
	}

}
