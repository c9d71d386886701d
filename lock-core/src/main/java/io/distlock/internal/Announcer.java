package io.distlock.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.ClockJump;
import io.distlock.LockListener;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;

/**
 * Tells the listener of a template what goes wrong, one thing after the other on one
 * callback thread, however much it is at once.
 */
final class Announcer {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();

	private final AtomicInteger untold = new AtomicInteger();

	private final LockListener listener;

	private final Callbacks callbacks;

	Announcer(LockListener listener, Callbacks callbacks) {
		this.listener = listener;
		this.callbacks = callbacks;
	}

	void lost(LockLoss hold) {
		tell(() -> this.listener.lost(hold));
	}

	/** What the thread does is looked up by the one that tells. */
	void heldTooLong(Hold hold) {
		tell(() -> {
			LockOverrun story = HoldStory.tooLong(hold);
			logger.warn("{}", story.describe());
			this.listener.heldTooLong(story);
		});
	}

	void clockJumped(ClockJump jump) {
		tell(() -> {
			logger.warn("{}", jump.describe());
			this.listener.clockJumped(jump);
		});
	}

	private void tell(Runnable event) {
		this.events.add(event);
		if (this.untold.getAndIncrement() == 0) {
			this.callbacks.run(this::tellAll);
		}
	}

	private void tellAll() {
		do {
			Runnable event = this.events.poll();
			if (event != null) {
				Callbacks.runSafely(event);
			}
		}
		while (this.untold.decrementAndGet() > 0);
	}

}
