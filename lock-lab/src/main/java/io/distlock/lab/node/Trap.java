package io.distlock.lab.node;

import java.util.concurrent.CountDownLatch;

import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.strategy.Step.Place;
import org.jspecify.annotations.Nullable;

/** Holds one caller where the fault shall hit it, until the director lets it go on. */
final class Trap {

	private @Nullable Place place;

	private CountDownLatch released = new CountDownLatch(1);

	/** Holds the next caller that comes to this place. */
	synchronized void arm(Place where) {
		this.place = where;
	}

	/** Lets all go on that are held. */
	synchronized void release() {
		this.place = null;
		this.released.countDown();
		this.released = new CountDownLatch(1);
	}

	/** Returns whether this caller was held. */
	boolean pass(Place where, int caller, boolean after, EventLog log) {
		CountDownLatch end = spring(where);
		if (end == null) {
			return false;
		}
		log.add(Kind.TRAPPED, caller, after ? 1 : 0, 0);
		try {
			end.await();
		}
		catch (InterruptedException ex) {
			// The work ends early: its lock is lost.
			Thread.currentThread().interrupt();
		}
		return true;
	}

	private synchronized @Nullable CountDownLatch spring(Place where) {
		if (this.place != where) {
			return null;
		}
		this.place = null;
		return this.released;
	}

}
